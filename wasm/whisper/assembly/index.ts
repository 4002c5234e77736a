// The exports of the module.

export { run, serve, stop } from './pool'
