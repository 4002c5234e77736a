// The decoder's shaders: a few token vectors side by side. Each workgroup reads its rows of weights once for all of them.

import { LOGITS_IN_BLOCK, SCORE_FACTOR } from '../../../wasm/whisper/interface.ts'
import {
  FLOATS,
  geluFunction,
  greatestOf,
  HALVES,
  type MatrixFormat,
  matrixReader,
  readFloats,
  readHalves,
  repeat,
  storage,
  totalOf,
} from './wgsl.ts'

/** Vectors of a dispatch: a lone one, or up to eight. A shader with room for more is slower for one. */
export type VectorCount = 1 | 8

/** Words of a vector's entry in the table. */
export const ENTRY = {
  token: 0,
  position: 1,
  /** where its keys and values are stored */
  record: 2,
  /** first of its sequence's records in the list; it attends to `position` + 1 of them */
  firstRecord: 3,
  /** the window that it attends to, and how many frames that has */
  slot: 4,
  frames: 5,
  /** where its attention to the window is stored, plus one; 0 to discard it */
  alignment: 6,
} as const

export const ENTRY_WORDS = 8

const entry = (vector: string, word: keyof typeof ENTRY) =>
  `table[${vector} * ${ENTRY_WORDS}u + ${ENTRY[word]}u]`

/** Embedding and position of each vector's token. */
export const embedShader = (
  width: number,
  format: MatrixFormat,
) => `${matrixReader(format, { numbers: 0, heads: 4 })}
${storage(1, 'positions', FLOATS)}
${storage(2, 'table', 'u32')}
${storage(3, 'states', FLOATS, 'read_write')}
@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) thread: u32) {
  let token = ${entry('group.x', 'token')};
  let position = ${entry('group.x', 'position')};
  for (var i = thread; i < ${width / 8}u; i += 64u) {
    let v = readWeights(token * ${width / 8}u + i);
    let at = position * ${width / 4}u + 2u * i;
    let state = group.x * ${width / 4}u + 2u * i;
    states[state] = v[0] + positions[at];
    states[state + 1u] = v[1] + positions[at + 1u];
  }
}`

/** Products of the same kind share a shader, whatever their sizes. */
export type TokenSizes = {
  inputs: number
  outputs: number
  /** numbers from vector to vector of the output. @default outputs */
  stride?: number
}

export type TokenProduct = TokenSizes & {
  count: VectorCount
  /** `project`: the first third is stored, the rest goes to the records as keys and values */
  to: 'store' | 'add' | 'project'
  /** @default true */
  bias?: boolean
  gelu?: boolean
}

export const tokenSizes = ({ inputs, outputs, stride = outputs }: TokenSizes) =>
  Uint32Array.of(inputs / 8, outputs, stride, 0)

const LANES = 32
const GROUPS = 8
/** Between the sums of two vectors in the workgroup's memory: the threads that add them up use different banks. */
const SUMS = LANES * GROUPS + 8

/** A group of 32 threads computes this many rows. */
const rowsOf = ({ outputs }: TokenSizes) => (outputs >= 16_384 ? 4 : outputs >= 4096 ? 2 : 1)

export const workgroupsOf = (product: TokenSizes) => Math.ceil(product.outputs / (GROUPS * rowsOf(product)))

/** output[vector][n] = input[vector] · weights[n] + bias[n] */
export const tokenProductShader = (product: TokenProduct, format: MatrixFormat) => {
  const { count, to, bias = true } = product
  const rows = rowsOf(product)
  const eachVector = (line: (b: number) => string) => repeat(count, line)
  const eachRow = (line: (r: number) => string) => repeat(rows, line)
  const finish = {
    store: 'output[vector * stride + n] = v;',
    add: 'output[vector * stride + n] += v;',
    project: `let width = outputs / 3u;
      if (n < width) { output[vector * width + n] = v; }
      else { records[${entry('vector', 'record')} * 2u * width + n - width] = v; }`,
  }[to]
  return `${storage(0, 'input', FLOATS)}
${matrixReader(format, { numbers: 1, heads: 7 })}
${bias ? storage(2, 'bias', 'f32') : ''}
${storage(3, 'output', 'f32', 'read_write')}
@group(0) @binding(4) var<uniform> sizes: vec4<u32>;
${to === 'project' ? `${storage(5, 'table', 'u32')}\n${storage(6, 'records', 'f32', 'read_write')}` : ''}
${product.gelu ? geluFunction('f32') : ''}
var<workgroup> sums: array<f32, ${count * SUMS}>;
@compute @workgroup_size(${LANES * GROUPS})
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) thread: u32) {
  let inputs = sizes.x;
  let outputs = sizes.y;
  let stride = sizes.z;
  let lane = thread % ${LANES}u;
  let own = thread / ${LANES}u;
  let row = group.x * ${GROUPS * rows}u + own * ${rows}u;
${eachRow((r) => `  let at${r} = min(row + ${r}u, outputs - 1u) * inputs;`)}
${eachRow((r) => eachVector((b) => `  var c${r}_${b} = 0.0;`))}
  for (var g = lane; g < inputs; g += ${LANES}u) {
${eachRow((r) => `    let w${r} = readWeights(at${r} + g);`)}
${eachVector(
  (b) => `    {
      let x0 = input[2u * (${b}u * inputs + g)];
      let x1 = input[2u * (${b}u * inputs + g) + 1u];
${eachRow((r) => `      c${r}_${b} += dot(w${r}[0], x0) + dot(w${r}[1], x1);`)}
    }`,
)}
  }
${eachRow(
  (r) => `  workgroupBarrier();
${eachVector((b) => `  sums[${b * SUMS}u + thread] = c${r}_${b};`)}
  workgroupBarrier();
  if (thread < ${GROUPS * count}u) {
    let summed = thread / ${count}u;
    let vector = thread % ${count}u;
    var v = 0.0;
    for (var i = 0u; i < ${LANES}u; i++) { v += sums[vector * ${SUMS}u + summed * ${LANES}u + (i + summed) % ${LANES}u]; }
    let n = group.x * ${GROUPS * rows}u + summed * ${rows}u + ${r}u;
    if (n < outputs) {
      ${bias ? 'v += bias[n];' : ''}
      ${product.gelu ? 'v = gelu(v);' : ''}
      ${finish}
    }
  }`,
)}
}`
}

export type TokenAttention = { width: number } & (
  | { to: 'tokens'; maxTokens: number }
  | { to: 'frames'; maxFrames: number; rows: number; alignmentHeads: number }
)

/** Threads of a workgroup of the attention shader. */
const ATTENDING = 256

/** A workgroup computes one head of one vector: its attention to the tokens up to its own, or to the frames of its window. */
export const tokenAttentionShader = (attention: TokenAttention) => {
  const { width } = attention
  const isToFrames = attention.to === 'frames'
  const most = isToFrames ? attention.maxFrames : attention.maxTokens
  const row = (2 * width) / 8
  const keyAt = (k: string) =>
    isToFrames
      ? `(${entry('vector', 'slot')} * ${attention.rows}u + ${k}) * ${row}u + head * 8u`
      : `list[first + ${k}] * ${row}u + head * 8u`
  const unrolled = 4
  const step = ATTENDING / 8
  return `${storage(0, 'queries', FLOATS)}
${storage(1, 'keysValues', isToFrames ? HALVES : FLOATS)}
${storage(2, 'attended', FLOATS, 'read_write')}
${storage(3, 'table', 'u32')}
${isToFrames ? `${storage(4, 'aligned', 'i32')}\n${storage(5, 'alignments', 'f32', 'read_write')}` : storage(4, 'list', 'u32')}
${isToFrames ? readHalves('readKeysValues', 'keysValues') : readFloats('readKeysValues', 'keysValues')}
var<workgroup> scores: array<f32, ${most}>;
var<workgroup> parts: array<vec4<f32>, ${step * 16}>;
${greatestOf(ATTENDING)}
${totalOf(ATTENDING)}
@compute @workgroup_size(${ATTENDING})
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) thread: u32) {
  let head = group.x;
  let vector = group.y;
  ${isToFrames ? '' : `let first = ${entry('vector', 'firstRecord')};`}
  let count = min(${isToFrames ? entry('vector', 'frames') : `${entry('vector', 'position')} + 1u`}, ${most}u);
  let own = vector * ${width / 4}u + head * 16u;
${repeat(16, (d) => `  let q${d} = queries[own + ${d}u] * ${SCORE_FACTOR};`)}
  var most = -1e30;
  for (var k = thread; k < count; k += ${ATTENDING}u) {
    let at = ${keyAt('k')};
    var s = 0.0;
${repeat(8, (d) => `    { let v = readKeysValues(at + ${d}u); s += dot(q${2 * d}, v[0]) + dot(q${2 * d + 1}, v[1]); }`)}
    scores[k] = s;
    most = max(most, s);
  }
  most = greatest(thread, most);
  var sum = 0.0;
  for (var k = thread; k < count; k += ${ATTENDING}u) {
    let p = exp2(scores[k] - most);
    scores[k] = p;
    sum += p;
  }
  sum = total(thread, sum);
  let d = thread % 8u;
  var o0 = vec4<f32>();
  var o1 = vec4<f32>();
  for (var k = thread / 8u; k < count; k += ${step * unrolled}u) {
${repeat(unrolled, (j) => `    let k${j} = min(k + ${step * j}u, count - 1u); let v${j} = readKeysValues(${keyAt(`k${j}`)} + ${width / 8}u + d);`)}
${repeat(unrolled, (j) => `    { let p = select(0.0, scores[k${j}], k + ${step * j}u < count); o0 += p * v${j}[0]; o1 += p * v${j}[1]; }`)}
  }
  parts[thread * 2u] = o0;
  parts[thread * 2u + 1u] = o1;
  workgroupBarrier();
  if (thread < 16u) {
    var o = parts[thread];
    for (var i = 1u; i < ${step}u; i++) { o += parts[i * 16u + thread]; }
    attended[own + thread] = o / sum;
  }
${
  isToFrames
    ? `  let alignment = ${entry('vector', 'alignment')};
  if (alignment > 0u && aligned[head] >= 0) {
    let at = ((alignment - 1u) * ${attention.alignmentHeads}u + u32(aligned[head])) * ${most}u;
    for (var k = thread; k < count; k += ${ATTENDING}u) { alignments[at + k] = scores[k] / sum; }
  }`
    : ''
}
}`
}

/** Behind the logits of a vector: the greatest of each block, then the sum of e^(logit − greatest). */
export const logitSumsShader = (vocabulary: number, stride: number) => {
  const blocks = Math.ceil(vocabulary / LOGITS_IN_BLOCK)
  return `${storage(0, 'logits', 'f32', 'read_write')}
${greatestOf(LOGITS_IN_BLOCK)}
${totalOf(LOGITS_IN_BLOCK)}
@compute @workgroup_size(${LOGITS_IN_BLOCK})
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) thread: u32) {
  let first = group.y * ${stride}u;
  let n = group.x * ${LOGITS_IN_BLOCK}u + thread;
  let logit = logits[first + min(n, ${vocabulary - 1}u)];
  let most = greatest(thread, logit);
  let sum = total(thread, select(0.0, exp(logit - most), n < ${vocabulary}u));
  if (thread == 0u) {
    logits[first + ${vocabulary}u + group.x] = most;
    logits[first + ${vocabulary + blocks}u + group.x] = sum;
  }
}`
}
