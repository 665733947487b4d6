/**
 * A route of the application's own, as every application over HTTP has one.
 */
import { Controller, Get } from '@nestjs/common';

@Controller('health')
export class HealthController {
  @Get()
  health(): object {
    return { status: 'up' };
  }
}
