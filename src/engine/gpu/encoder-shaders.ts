// The encoder's shaders: products of many rows, and attention of all frames to each other. Rows are padded by the host, so
// no product checks a bound; sums stay in registers, and tiles of both matrices in the workgroup's memory.

import { SCORE_FACTOR } from '../../../wasm/whisper/interface.ts'
import {
  FLOATS,
  geluFunction,
  HALVES,
  type MatrixFormat,
  matrixReader,
  readHalves,
  repeat,
  storage,
  writeHalves,
} from './wgsl.ts'

/** Rows of a window are padded to a multiple of this. */
export const ROW_TILE = 128

/** In the order of the uniform: products of the same kind share a shader, whatever their sizes. */
export type RowSizes = {
  inputs: number
  outputs: number
  /** numbers from row to row of the input. @default inputs */
  stride?: number
  /** the output's first row. @default 0 */
  firstRow?: number
}

export type RowProduct = RowSizes & {
  to: 'f16' | 'f32'
  gelu?: boolean
  /** adds what is in the output, or a row of binding 5 */
  add?: 'output' | 'positions'
}

export const rowSizes = ({ inputs, outputs, stride = inputs, firstRow = 0 }: RowSizes) =>
  Uint32Array.of(inputs / 8, outputs, stride / 8, firstRow)

/** rows, outputs and inputs of a workgroup's tile, and rows and outputs of a thread */
type Tile = { rows: number; outputs: number; inputs: number; own: number }

export const LARGE_TILE: Tile = { rows: 128, outputs: 128, inputs: 16, own: 8 }
const SMALL_TILE: Tile = { rows: 64, outputs: 64, inputs: 16, own: 4 }

/** Large tiles read less and small ones keep more of the device busy. */
export const tileOf = ({ outputs }: RowProduct, maxRows: number): Tile => {
  const isLarge = outputs % LARGE_TILE.outputs === 0
  const tiles = (maxRows / LARGE_TILE.rows) * (outputs / LARGE_TILE.outputs)
  return isLarge && tiles >= 100 ? LARGE_TILE : SMALL_TILE
}

/** output[row][n] = input[row] · weights[n] + bias[n] */
export const rowProductShader = (
  { to, add, gelu: isGelu }: Omit<RowProduct, keyof RowSizes>,
  { format, tile }: { format: MatrixFormat; tile: Tile },
) => {
  const own = tile.own
  const quads = own / 4
  const across = tile.outputs / own
  const threads = across * (tile.rows / own)
  /** groups of eight inputs per row of a tile */
  const per = tile.inputs / 8
  const rounds = (rows: number) => Math.ceil((rows * per) / threads)
  /** all but the last round of a tile that the threads do not divide evenly */
  const guarded = (rows: number, i: number, code: string) =>
    (i + 1) * threads > rows * per ? `if (thread + ${i * threads}u < ${rows * per}u) { ${code} }` : code
  const fetch = (rows: number, name: string, call: string, first: string, stride: string, behind = '') =>
    repeat(rounds(rows), (i) =>
      guarded(
        rows,
        i,
        `{ let g = thread + ${i * threads}u; ${name}${i} = ${call}(${first} + (g / ${per}u) * ${stride} + g % ${per}u${behind}); }`,
      ),
    )
  const store = (rows: number, name: string, tileName: string) =>
    repeat(rounds(rows), (i) =>
      guarded(
        rows,
        i,
        `{ let g = thread + ${i * threads}u; let r = g / ${per}u; let k = (g % ${per}u) * 8u;
${repeat(8, (e) => `      ${tileName}[(k + ${e}u) * ${rows / 4}u + r / 4u][r % 4u] = ${name}${i}[${e >> 2}][${e & 3}];`)} }`,
      ),
    )
  const finished = (i: number, j: number) => `  {
    let row = group.y * ${tile.rows}u + ${(i >> 2) * (tile.rows / quads)}u + down * 4u + ${i & 3}u;
    let column = group.x * ${tile.outputs}u + ${j * (tile.outputs / quads)}u + across * 4u;
    let at = ((row + firstRow) * outputs + column) / 4u;
    var v = c${i}_${j} + bias[column / 4u];
    ${isGelu ? 'v = gelu(v);' : ''}
    ${add === 'positions' ? 'v += positions[(row * outputs + column) / 4u];' : ''}
    ${add === 'output' ? 'v += output[at];' : ''}
    output[at] = ${to === 'f32' ? 'v' : 'vec2<u32>(pack2x16float(v.xy), pack2x16float(v.zw))'};
  }`
  return `${storage(0, 'input', HALVES)}
${matrixReader(format, { numbers: 1, heads: 6 })}
${storage(2, 'bias', FLOATS)}
${storage(3, 'output', to === 'f32' ? FLOATS : 'vec2<u32>', 'read_write')}
@group(0) @binding(4) var<uniform> sizes: vec4<u32>;
${add === 'positions' ? storage(5, 'positions', FLOATS) : ''}
${readHalves('readInput', 'input')}
${isGelu ? geluFunction(FLOATS) : ''}
var<workgroup> inputTile: array<vec4<f32>, ${(tile.inputs * tile.rows) / 4}>;
var<workgroup> weightTile: array<vec4<f32>, ${(tile.inputs * tile.outputs) / 4}>;
@compute @workgroup_size(${threads})
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) thread: u32) {
  let across = thread % ${across}u;
  let down = thread / ${across}u;
  let inputs = sizes.x;
  let outputs = sizes.y;
  let stride = sizes.z;
  let firstRow = sizes.w;
  let inputAt = group.y * ${tile.rows}u * stride;
  let weightAt = group.x * ${tile.outputs}u * inputs;
${repeat(rounds(tile.rows), (i) => `  var a${i}: mat2x4<f32>;`)}
${repeat(rounds(tile.outputs), (i) => `  var b${i}: mat2x4<f32>;`)}
${repeat(own, (i) => repeat(quads, (j) => `  var c${i}_${j} = vec4<f32>();`))}
${fetch(tile.rows, 'a', 'readInput', 'inputAt', 'stride')}
${fetch(tile.outputs, 'b', 'readWeights', 'weightAt', 'inputs')}
  for (var first = 0u; first < inputs; first += ${per}u) {
${store(tile.rows, 'a', 'inputTile')}
${store(tile.outputs, 'b', 'weightTile')}
    workgroupBarrier();
    // the next tiles are on their way while these are multiplied
    if (first + ${per}u < inputs) {
${fetch(tile.rows, 'a', 'readInput', 'inputAt', 'stride', ` + first + ${per}u`)}
${fetch(tile.outputs, 'b', 'readWeights', 'weightAt', 'inputs', ` + first + ${per}u`)}
    }
    for (var k = 0u; k < ${tile.inputs}u; k++) {
${repeat(quads, (q) => `      let x${q} = inputTile[k * ${tile.rows / 4}u + ${q * (tile.rows / 4 / quads)}u + down];`)}
${repeat(quads, (q) => `      let w${q} = weightTile[k * ${tile.outputs / 4}u + ${q * (tile.outputs / 4 / quads)}u + across];`)}
${repeat(own, (i) => repeat(quads, (j) => `      c${i}_${j} = fma(vec4<f32>(x${i >> 2}[${i & 3}]), w${j}, c${i}_${j});`))}
    }
    workgroupBarrier();
  }
${repeat(own, (i) => repeat(quads, (j) => finished(i, j)))}
}`
}

/** Queries of a head per workgroup of the attention shader. */
export const QUERIES = 64

/** 64 queries of a head attend to all frames; the softmax is rescaled on the way, so no matrix of scores is stored. */
export const frameAttentionShader = (width: number) => {
  const row = (3 * width) / 8
  const four = (line: (i: number) => string) => repeat(4, line)
  const eight = (line: (i: number, j: number) => string) => repeat(4, (i) => repeat(2, (j) => line(i, j)))
  const listed = (line: (i: number) => string) => [0, 1, 2, 3].map(line).join(', ')
  return `${storage(0, 'projected', HALVES)}
${storage(1, 'attended', HALVES, 'read_write')}
@group(0) @binding(2) var<uniform> frameCount: vec4<u32>;
${readHalves('readProjected', 'projected')}
${writeHalves('writeAttended', 'attended')}
var<workgroup> queries: array<vec4<f32>, 1024>;
var<workgroup> tile: array<vec4<f32>, 512>;
var<workgroup> weights: array<vec4<f32>, 512>;
@compute @workgroup_size(128)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) thread: u32) {
  let frames = frameCount.x;
  let head = group.y * 8u;
  let mine = thread / 8u;
  let part = thread % 8u;
  for (var g = thread; g < 512u; g += 128u) {
    let r = g / 8u;
    let d = (g % 8u) * 8u;
    let v = readProjected((group.x * 64u + r) * ${row}u + head + g % 8u);
${repeat(8, (e) => `    queries[(d + ${e}u) * 16u + r / 4u][r % 4u] = v[${e >> 2}][${e & 3}] * ${SCORE_FACTOR};`)}
  }
  var most = vec4<f32>(-1e30);
  var sum = vec4<f32>();
${eight((i, j) => `  var o${i}_${j} = vec4<f32>();`)}
  for (var first = 0u; first < frames; first += 32u) {
    for (var g = thread; g < 256u; g += 128u) {
      let r = g / 8u;
      let d = (g % 8u) * 8u;
      let v = readProjected((first + r) * ${row}u + ${width / 8}u + head + g % 8u);
${repeat(8, (e) => `      tile[(d + ${e}u) * 8u + r / 4u][r % 4u] = v[${e >> 2}][${e & 3}];`)}
    }
    workgroupBarrier();
${four((i) => `    var s${i} = vec4<f32>();`)}
    for (var d = 0u; d < 64u; d++) {
      let q = queries[d * 16u + mine];
      let k = tile[d * 8u + part];
${four((i) => `      s${i} = fma(vec4<f32>(q[${i}]), k, s${i});`)}
    }
    if (first + 32u > frames) {
      let none = vec4<u32>(first + part * 4u) + vec4<u32>(0u, 1u, 2u, 3u) >= vec4<u32>(frames);
${four((i) => `      s${i} = select(s${i}, vec4<f32>(-1e30), none);`)}
    }
    workgroupBarrier();
    tile[thread] = vec4<f32>(${listed((i) => `max(max(s${i}.x, s${i}.y), max(s${i}.z, s${i}.w))`)});
    workgroupBarrier();
    var next = most;
    for (var j = 0u; j < 8u; j++) { next = max(next, tile[mine * 8u + j]); }
    let factor = exp2(most - next);
    most = next;
${four((i) => `    s${i} = exp2(s${i} - most[${i}]);`)}
    sum = sum * factor + vec4<f32>(${listed((i) => `dot(s${i}, vec4<f32>(1.0))`)});
${four((c) => `    weights[(part * 4u + ${c}u) * 16u + mine] = vec4<f32>(${listed((i) => `s${i}[${c}]`)});`)}
    workgroupBarrier();
    for (var g = thread; g < 256u; g += 128u) {
      let v = readProjected((first + g / 8u) * ${row}u + ${(2 * width) / 8}u + head + g % 8u);
      tile[(g / 8u) * 16u + (g % 8u) * 2u] = v[0];
      tile[(g / 8u) * 16u + (g % 8u) * 2u + 1u] = v[1];
    }
${eight((i, j) => `    o${i}_${j} *= factor[${i}];`)}
    workgroupBarrier();
    for (var k = 0u; k < 32u; k++) {
      let p = weights[k * 16u + mine];
      let v0 = tile[k * 16u + part * 2u];
      let v1 = tile[k * 16u + part * 2u + 1u];
${eight((i, j) => `      o${i}_${j} = fma(vec4<f32>(p[${i}]), v${j}, o${i}_${j});`)}
    }
    workgroupBarrier();
  }
  tile[thread] = sum;
  workgroupBarrier();
  sum = vec4<f32>();
  for (var j = 0u; j < 8u; j++) { sum += tile[mine * 8u + j]; }
${four((i) => `  writeAttended((group.x * 64u + mine * 4u + ${i}u) * ${width / 8}u + head + part, mat2x4<f32>(o${i}_0 / sum[${i}], o${i}_1 / sum[${i}]));`)}
}`
}
