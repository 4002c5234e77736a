// The peak rate of the encoder's innermost product on one core in WebAssembly, with operands in the L1 cache: the
// reference for the kernels' rates. Not part of the engine, so its source is here.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { COMPILER } from '../../../wasm/whisper/compiler.ts'

const ROWS = 6
const PAIRS = 192
/** For each pair of inputs: 6 rows, each four times, and 8 outputs. */
const ROW_BYTES = 16 * ROWS
const OUTPUT_BYTES = 32
const OUTPUTS_AT = 32_768
const OPERATIONS = 2 * ROWS * 8 * 2 * PAIRS

const lines = (lineOf: (row: number) => string) => Array.from({ length: ROWS }, (_, row) => lineOf(row))

const SOURCE = [
  'export function peak(times: i32): void {',
  ...lines((row) => `let l${row} = i32x4.splat(0), r${row} = i32x4.splat(0)`),
  'for (let time = 0; time < times; time++) {',
  `let a: usize = 0, b: usize = ${OUTPUTS_AT}`,
  `for (; a < ${PAIRS * ROW_BYTES}; a += ${ROW_BYTES}, b += ${OUTPUT_BYTES}) {`,
  'const left = v128.load(b), right = v128.load(b, 16)',
  'let x: v128',
  ...lines(
    (row) => `x = v128.load(a, ${16 * row})
    l${row} = i32x4.add(l${row}, i32x4.dot_i16x8_s(x, left))
    r${row} = i32x4.add(r${row}, i32x4.dot_i16x8_s(x, right))`,
  ),
  '}}',
  ...lines(
    (row) => `v128.store(${49_152 + 32 * row}, l${row}); v128.store(${49_152 + 32 * row}, r${row}, 16)`,
  ),
  '}',
].join('\n')

const compile = async (): Promise<Uint8Array<ArrayBuffer>> => {
  const folder = await mkdtemp(join(tmpdir(), 'dictation-peak-'))
  try {
    await Bun.write(join(folder, 'peak.ts'), SOURCE)
    const options = ['-O3', '--noAssert', '--runtime', 'stub', '--enable', 'simd', '--initialMemory', '1']
    const command = [
      process.execPath,
      COMPILER,
      'peak.ts',
      ...options,
      '--memoryBase',
      '60000',
      '-o',
      'peak.wasm',
    ]
    const child = Bun.spawn(command, { cwd: folder, stdout: 'inherit', stderr: 'inherit' })
    if ((await child.exited) !== 0) throw new Error('the loop of the peak could not be compiled')
    return await Bun.file(join(folder, 'peak.wasm')).bytes()
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/**
 * Few enough to take a fraction of a millisecond, so that some tries are not interrupted; many tries, so that not all
 * run in unoptimised code.
 */
const TIMES = 300
const TRIES = 3000

/** @returns operations (a product or a sum each) per second */
export const measurePeak = async (): Promise<number> => {
  const { instance } = await WebAssembly.instantiate(await compile())
  const { peak } = instance.exports as { peak(times: number): void }
  let least = Number.POSITIVE_INFINITY
  for (let attempt = 0; attempt < TRIES; attempt += 1) {
    const startedAt = performance.now()
    peak(TIMES)
    least = Math.min(least, performance.now() - startedAt)
  }
  return (1000 * OPERATIONS * TIMES) / least
}
