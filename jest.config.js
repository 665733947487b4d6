const swc = {
  jsc: {
    parser: { syntax: 'typescript', decorators: true },
    transform: { legacyDecorator: true, decoratorMetadata: true },
    keepClassNames: true,
    target: 'es2023',
  },
  module: { type: 'es6' },
  sourceMaps: 'inline',
};

/** @type {import('jest').Config} */
export default {
  testEnvironment: 'node',
  testTimeout: 30_000, // for a machine that others use too: no test passes or fails by its speed
  maxWorkers: '100%', // of two cores Jest would use one
  workerIdleMemoryLimit: '512MB', // of each file something is left behind in its worker: collecting that took longer than a new one
  roots: ['<rootDir>/test', '<rootDir>/sample-app'],
  globalSetup: '<rootDir>/test/support/compile-for-processes.mjs',
  setupFilesAfterEnv: ['<rootDir>/test/support/leave-nothing-on.ts', '<rootDir>/test/support/no-secret-is-written.ts'],
  testMatch: ['**/*.spec.ts'],
  modulePathIgnorePatterns: [
    '<rootDir>/dist',
    '<rootDir>/sample-app/dist',
    '<rootDir>/test/hosts',
    '<rootDir>/test/conformance/(dist|suite)',
  ],
  extensionsToTreatAsEsm: ['.ts'],
  transform: { '^.+\\.ts$': ['@swc/jest', swc] },
  moduleNameMapper: {
    '^nestjs-mcp-gate$': '<rootDir>/src/index.ts',
    '^nestjs-mcp-gate/testing$': '<rootDir>/src/testing/index.ts',
    '^nestjs-mcp-gate/ticket-session$': '<rootDir>/src/ticket-session/index.ts',
    '^nestjs-mcp-gate/devkit$': '<rootDir>/src/devkit/index.ts',
    '^(\\.{1,2}/.*)\\.js$': '$1',
  },
  collectCoverageFrom: ['src/**/*.ts'],
  coverageThreshold: { global: { lines: 90 } },
};
