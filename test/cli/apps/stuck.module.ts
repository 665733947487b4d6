/** An application that waits for something that never comes, and says when it has begun to. */
import { Module } from '@nestjs/common';

let begin: () => void = () => undefined;
export const begun = new Promise<void>((resolve) => (begin = resolve));

@Module({
  providers: [
    {
      provide: 'DATABASE',
      useFactory: () => {
        begin();
        return new Promise(() => undefined);
      },
    },
  ],
})
export default class StuckModule {}
