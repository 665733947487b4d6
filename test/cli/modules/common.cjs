/** As TypeScript and Babel write an application for CommonJS. */
const { Module } = require('@nestjs/common');

class AppModule {}
Module({ imports: [] })(AppModule);

class RootModule {}
Module({ imports: [AppModule] })(RootModule);

Object.defineProperty(exports, '__esModule', { value: true });
exports.AppModule = AppModule;
exports.default = RootModule;
