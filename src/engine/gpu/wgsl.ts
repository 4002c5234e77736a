// What all shaders share. They use core WGSL only, so that every GPU with WebGPU runs the same code. The frames of a window
// are f16 in storage, two in a u32, which unpack2x16float reads without a feature of the device; sums are f32. Weights are
// f16 or, of quantized files, 8 bits.

/** f16 numbers are read and written in groups of eight, a vec4<u32> each. */
export const HALVES = 'vec4<u32>'
export const FLOATS = 'vec4<f32>'

export const repeat = (count: number, line: (i: number) => string) =>
  Array.from({ length: count }, (_, i) => line(i)).join('\n')

export const storage = (binding: number, name: string, type: string, mode = 'read') =>
  `@group(0) @binding(${binding}) var<storage, ${mode}> ${name}: array<${type}>;`

/** `fn NAME(i)`: the i-th group of eight numbers. */
export const readHalves = (name: string, buffer: string) => `fn ${name}(i: u32) -> mat2x4<f32> {
  let v = ${buffer}[i];
  return mat2x4<f32>(vec4<f32>(unpack2x16float(v.x), unpack2x16float(v.y)),
    vec4<f32>(unpack2x16float(v.z), unpack2x16float(v.w)));
}`

export const readFloats = (name: string, buffer: string) => `fn ${name}(i: u32) -> mat2x4<f32> {
  return mat2x4<f32>(${buffer}[2u * i], ${buffer}[2u * i + 1u]);
}`

export const writeHalves = (name: string, buffer: string) => `fn ${name}(i: u32, v: mat2x4<f32>) {
  ${buffer}[i] = vec4<u32>(pack2x16float(v[0].xy), pack2x16float(v[0].zw), pack2x16float(v[1].xy), pack2x16float(v[1].zw));
}`

export const writeFloats = (name: string, buffer: string) => `fn ${name}(i: u32, v: mat2x4<f32>) {
  ${buffer}[2u * i] = v[0];
  ${buffer}[2u * i + 1u] = v[1];
}`

/**
 * `q8`: four weights in a u32, each a step from 0 to 255; for each block of 32 its scale and offset, as two f16 in a u32.
 * Both represent the weights of ggml's blocks of 32 exactly.
 */
export type MatrixFormat = 'f16' | 'q8'

export const BLOCK_WEIGHTS = 32

/** Declares a matrix; `fn readWeights(i)`: the i-th group of eight weights. @param heads binding of a q8 matrix's heads */
export const matrixReader = (format: MatrixFormat, { numbers, heads }: { numbers: number; heads: number }) =>
  format === 'f16'
    ? `${storage(numbers, 'weights', HALVES)}
${readHalves('readWeights', 'weights')}`
    : `${storage(numbers, 'weights', 'vec2<u32>')}
${storage(heads, 'weightHeads', 'u32')}
fn readWeights(i: u32) -> mat2x4<f32> {
  let v = weights[i];
  let head = unpack2x16float(weightHeads[i / ${BLOCK_WEIGHTS / 8}u]);
  let scale = 255.0 * head.x;
  return mat2x4<f32>(unpack4x8unorm(v.x) * scale + head.y, unpack4x8unorm(v.y) * scale + head.y);
}`

/** The tanh form, as in whisper.cpp, written so that no exponential overflows into NaN. */
export const geluFunction = (type: string) => `fn gelu(x: ${type}) -> ${type} {
  return x / (1.0 + exp(-1.5957691216057308 * (x + 0.044715 * x * x * x)));
}`

/** `fn NAME(thread, value)`: combines a number of each thread of a workgroup. */
const reduction = (name: string, threads: number, combined: (a: string, b: string) => string) => {
  const shared = `${name}Shared`
  return `var<workgroup> ${shared}: array<f32, ${threads}>;
fn ${name}(thread: u32, value: f32) -> f32 {
  workgroupBarrier();
  ${shared}[thread] = value;
  workgroupBarrier();
  for (var s = ${threads / 2}u; s > 0u; s /= 2u) {
    if (thread < s) { ${shared}[thread] = ${combined(`${shared}[thread]`, `${shared}[thread + s]`)}; }
    workgroupBarrier();
  }
  return ${shared}[0];
}`
}

export const totalOf = (threads: number) => reduction('total', threads, (a, b) => `${a} + ${b}`)
export const greatestOf = (threads: number) => reduction('greatest', threads, (a, b) => `max(${a}, ${b})`)

/** f32 to f16, eight numbers a thread. */
export const PACK_SHADER = `${storage(0, 'numbers', FLOATS)}
${storage(1, 'packed', HALVES, 'read_write')}
${readFloats('readNumbers', 'numbers')}
${writeHalves('writePacked', 'packed')}
@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
  if (id.x < arrayLength(&packed)) { writePacked(id.x, readNumbers(id.x)); }
}`

/** Numbers that a workgroup of the pack shader converts. */
export const PACKED_IN_WORKGROUP = 2048

/**
 * f32 to q8, a block a thread. With `least`, steps begin at the block's least weight; otherwise, the greatest magnitude is
 * `steps` below the middle, 128.
 */
export const QUANTIZE_SHADER = `${storage(0, 'numbers', FLOATS)}
${storage(1, 'weights', 'u32', 'read_write')}
${storage(2, 'heads', 'u32', 'read_write')}
@group(0) @binding(3) var<uniform> grid: vec4<u32>;
@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
  if (id.x >= arrayLength(&heads)) { return; }
  var least = numbers[8u * id.x].x;
  var most = least;
  for (var i = 0u; i < 8u; i++) {
    let v = numbers[8u * id.x + i];
    least = min(least, min(min(v.x, v.y), min(v.z, v.w)));
    most = max(most, max(max(v.x, v.y), max(v.z, v.w)));
  }
  let isFromLeast = grid.x == 1u;
  let steps = f32(grid.y);
  let greatest = select(least, most, most > -least);
  let scale = select(-greatest, most - least, isFromLeast) / steps;
  // a driver may round towards zero: what is hardly below an f16 must not become the f16 below
  heads[id.x] = pack2x16float(vec2<f32>(scale * 1.000001, select(-128.0 * scale, least, isFromLeast)));
  // as the products will read them
  let head = unpack2x16float(heads[id.x]);
  let factor = select(1.0 / head.x, 0.0, head.x == 0.0);
  for (var i = 0u; i < 8u; i++) {
    let v = vec4<u32>(clamp((numbers[8u * id.x + i] - head.y) * factor + 0.5, vec4<f32>(0.0), vec4<f32>(255.0)));
    weights[8u * id.x + i] = v.x | (v.y << 8u) | (v.z << 16u) | (v.w << 24u);
  }
}`

/** In the order of the uniform. */
export type QuantizationGrid = { from: 'least' | 'greatest'; steps: number }

export const quantizationGrid = ({ from, steps }: QuantizationGrid) =>
  Uint32Array.of(from === 'least' ? 1 : 0, steps, 0, 0)

/** Blocks that a workgroup of the quantize shader converts. */
export const QUANTIZED_IN_WORKGROUP = 64

/** A workgroup normalises a row. */
export const layerNormShader = (width: number, to: 'f16' | 'f32') => `${storage(0, 'rows', FLOATS)}
${storage(1, 'weight', FLOATS)}
${storage(2, 'bias', FLOATS)}
${storage(3, 'normal', to === 'f16' ? HALVES : FLOATS, 'read_write')}
${to === 'f16' ? writeHalves('writeNormal', 'normal') : writeFloats('writeNormal', 'normal')}
${totalOf(64)}
@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) thread: u32) {
  let row = group.x * ${width / 4}u;
  var sum = 0.0;
  for (var i = thread; i < ${width / 4}u; i += 64u) { sum += dot(rows[row + i], vec4<f32>(1.0)); }
  let mean = total(thread, sum) / ${width}.0;
  sum = 0.0;
  for (var i = thread; i < ${width / 4}u; i += 64u) { let v = rows[row + i] - mean; sum += dot(v, v); }
  let scale = inverseSqrt(total(thread, sum) / ${width}.0 + 1e-5);
  for (var i = thread; i < ${width / 8}u; i += 64u) {
    let a = (rows[row + 2u * i] - mean) * scale * weight[2u * i] + bias[2u * i];
    let b = (rows[row + 2u * i + 1u] - mean) * scale * weight[2u * i + 1u] + bias[2u * i + 1u];
    writeNormal(group.x * ${width / 8}u + i, mat2x4<f32>(a, b));
  }
}`
