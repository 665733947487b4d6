import { Module } from '@nestjs/common';

@Module({ imports: [] })
export class AppModule {}

@Module({ imports: [AppModule] })
class RootModule {}

export default RootModule;
