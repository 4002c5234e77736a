// What all shaders share. They use core WGSL only, so that every GPU with WebGPU runs the same code. Weights and the frames
// of a window are f16 in storage, two in a u32, which unpack2x16float reads without a feature of the device; sums are f32.

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
