import { Module } from '@nestjs/common';
import { CatalogModule } from '../catalog/catalog.module.js';
import { SearchModule } from '../search/search.module.js';
import { HealthController } from './health.controller.js';

@Module({ imports: [CatalogModule, SearchModule], controllers: [HealthController] })
export class HealthModule {}
