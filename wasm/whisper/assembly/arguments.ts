// Reads the arguments of the current kernel: 32-bit words that the caller wrote beside the control block.

import { ARGUMENTS } from './control'

// @ts-ignore: a decorator of AssemblyScript
@inline
export function argument(index: i32): i32 {
  return load<i32>(ARGUMENTS + ((<usize>index) << 2))
}

// @ts-ignore: a decorator of AssemblyScript
@inline
export function argumentF(index: i32): f32 {
  return load<f32>(ARGUMENTS + ((<usize>(~index)) << 2))
}
