// The arguments of the kernel that runs: 32-bit words that the caller wrote beside the control block.
// Which argument is where, and what it means, is ../kernel-arguments.ts.

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
