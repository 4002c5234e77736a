// The decoder's input: rows of the packed token embeddings plus the position embeddings.

import { EMBEDDED_TOKENS_IN_CHUNK, GROUP, PANEL_ROWS } from '../interface'
import { EMBED } from '../kernel-arguments'
import { argument } from './arguments'
import { ENTRY, POSITION, TOKEN } from './table'
import { GROUP_HEAD, fromHalf, groupBytes, groupOf } from './token-panels'

/** Tokens per chunk. */
const TOKENS: i32 = EMBEDDED_TOKENS_IN_CHUNK

export function embed(chunk: i32): void {
  const width = argument(EMBED.width)
  const bytes = <usize>width * 4
  const last = min(argument(EMBED.count), (chunk + 1) * TOKENS)
  for (let index = chunk * TOKENS; index < last; index++) {
    const entry = <usize>argument(EMBED.table) + <usize>index * ENTRY
    const to = <usize>argument(EMBED.to) + <usize>index * bytes
    unpack(load<i32>(entry, TOKEN), width, to)
    const position = <usize>argument(EMBED.positions) + <usize>load<i32>(entry, POSITION) * bytes
    for (let at: usize = 0; at < bytes; at += 16) {
      v128.store(to + at, f32x4.add(v128.load(to + at), v128.load(position + at)))
    }
  }
}

function unpack(token: i32, width: i32, to: usize): void {
  const bytes = argument(EMBED.weightBytes)
  if (bytes == 1) unpackRow<i8>(argument(EMBED.embeddings), token, width, to)
  else if (bytes == 2) unpackRow<i16>(argument(EMBED.embeddings), token, width, to)
  else unpackRow<f32>(argument(EMBED.embeddings), token, width, to)
}

/** Unpacks one row of a packed matrix to f32. */
function unpackRow<T>(packed: usize, row: i32, width: i32, to: usize): void {
  const groups = width / groupOf<T>()
  let panel = packed + <usize>(row / PANEL_ROWS) * <usize>groups * groupBytes<T>()
  const lane = <usize>(row % PANEL_ROWS)
  for (let group = 0; group < groups; group++) {
    if (isFloat<T>()) to = unpackFloats(panel + lane * 4, to)
    else to = unpackIntegers<T>(panel, lane, to)
    panel += groupBytes<T>()
  }
}

/** @returns the address of the next group */
function unpackFloats(at: usize, to: usize): usize {
  const end = to + <usize>groupOf<f32>() * 4
  for (; to < end; to += 4) {
    store<f32>(to, load<f32>(at))
    at += <usize>PANEL_ROWS * 4
  }
  return end
}

function unpackIntegers<T>(group: usize, lane: usize, to: usize): usize {
  const head = load<u32>(group + lane * 4)
  const scale: f32 = sizeof<T>() == 1 ? fromHalf(head & 0xffff) : reinterpret<f32>(head)
  const offset: f32 = sizeof<T>() == 1 ? fromHalf(head >>> 16) : 0
  let at = group + GROUP_HEAD + lane * 2 * sizeof<T>()
  for (let pair = 0; pair < GROUP / 2; pair++) {
    store<f32>(to, <f32>load<T>(at) * scale + offset)
    store<f32>(to, <f32>load<T>(at + sizeof<T>()) * scale + offset, 4)
    at += 16 * sizeof<T>()
    to += 8
  }
  return to
}
