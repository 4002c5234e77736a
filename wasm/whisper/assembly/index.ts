// What the module exports: running kernels, and serving as a further thread.
// Which kernel a number stands for is dispatch.ts.

export { run, serve, stop } from './pool'
