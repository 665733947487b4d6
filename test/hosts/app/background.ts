// @ts-nocheck -- its packages are installed in the hosts alone
import { Controller, Get, Injectable, Module, UseGuards, type CanActivate } from '@nestjs/common';
import { ConfigModule } from '@nestjs/config';
import { APP_GUARD } from '@nestjs/core';
import { EventEmitterModule, OnEvent } from '@nestjs/event-emitter';
import { Cron, Interval, ScheduleModule } from '@nestjs/schedule';

const ran: string[] = [];

@Injectable()
export class GlobalGuard implements CanActivate {
  canActivate() {
    ran.push('GlobalGuard');
    return true;
  }
}

@Injectable()
export class OwnGuard implements CanActivate {
  canActivate() {
    ran.push('OwnGuard');
    return true;
  }
}

@Controller('ran')
export class RanController {
  @Get(':what')
  @UseGuards(OwnGuard)
  read() {
    return ran.splice(0);
  }
}

@Injectable()
export class Background {
  @OnEvent('order.paid')
  paid() {}

  @Cron('0 3 * * *', { name: 'nightly' })
  nightly() {}

  @Interval(3_600_000)
  hourly() {}
}

@Module({
  imports: [
    ConfigModule.forRoot({ ignoreEnvFile: true, load: [() => ({ host: { port: 7, password: 'hunter2' } })] }),
    EventEmitterModule.forRoot(),
    ScheduleModule.forRoot(),
  ],
  controllers: [RanController],
  providers: [Background, { provide: APP_GUARD, useClass: GlobalGuard }],
})
export class BackgroundModule {}
