/** As CommonJS that is written by hand. */
const { Module } = require('@nestjs/common');

class AppModule {}
Module({ imports: [] })(AppModule);

module.exports = Object.fromEntries([[AppModule.name, AppModule]]); // a name that Node cannot tell without running the file
