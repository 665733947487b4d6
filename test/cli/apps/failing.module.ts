/** An application that wants what is not there when it starts. */
import { Module } from '@nestjs/common';

@Module({
  providers: [
    {
      provide: 'DATABASE',
      useFactory: () => {
        throw new Error('The variable SHOP_DATABASE_URL is not set.');
      },
    },
  ],
})
export default class FailingModule {}
