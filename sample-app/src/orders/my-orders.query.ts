import { PickType } from '@nestjs/swagger';
import { OrderListQuery } from './order-list.query.js';

export class MyOrdersQuery extends PickType(OrderListQuery, ['since']) {}
