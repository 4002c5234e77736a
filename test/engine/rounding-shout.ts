// Shout with ggml's WebAssembly code changed to round activations to 8 bits, as all of ggml's other code does.

const CODE_SECTION = 10
const HEADER_BYTES = 8
const TRUNCATE = Buffer.from([0xfd, 0xf8, 0x01]) // i32x4.trunc_sat_f32x4_s
const NEAREST = Buffer.from([0xfd, 0x6a]) // f32x4.nearest

const MODULE = /(?<=data:application\/octet-stream;base64,)[\w+/=]+/

/** LEB128, WebAssembly's unsigned integers. */
const readUnsigned = (bytes: Buffer, at: number) => {
  let value = 0
  let end = at
  for (let shift = 0; ; shift += 7) {
    const byte = bytes[end]!
    value += (byte & 0x7f) * 2 ** shift
    end += 1
    if (byte < 0x80) return { value, end }
  }
}

const unsigned = (value: number): Buffer =>
  value < 0x80
    ? Buffer.from([value])
    : Buffer.concat([Buffer.from([(value % 0x80) + 0x80]), unsigned(Math.floor(value / 0x80))])

const withLength = (bytes: Buffer) => Buffer.concat([unsigned(bytes.length), bytes])

/** Only the two functions that quantize rows use the instruction. */
const roundedFunction = (body: Buffer): Buffer => {
  const at = body.indexOf(TRUNCATE)
  if (at < 0) return body
  const after = at + TRUNCATE.length
  return Buffer.concat([body.subarray(0, at), NEAREST, TRUNCATE, roundedFunction(body.subarray(after))])
}

const roundedCode = (section: Buffer): Buffer => {
  const count = readUnsigned(section, 0)
  const bodies: Buffer[] = []
  let at = count.end
  for (let i = 0; i < count.value; i += 1) {
    const { value, end } = readUnsigned(section, at)
    bodies.push(withLength(roundedFunction(section.subarray(end, end + value))))
    at = end + value
  }
  return Buffer.concat([unsigned(count.value), ...bodies])
}

const roundedModule = (module: Buffer): Buffer => {
  const parts = [module.subarray(0, HEADER_BYTES)]
  let at = HEADER_BYTES
  while (at < module.length) {
    const { value, end } = readUnsigned(module, at + 1)
    const section = module.subarray(end, end + value)
    parts.push(module.subarray(at, at + 1))
    parts.push(withLength(module[at] === CODE_SECTION ? roundedCode(section) : section))
    at = end + value
  }
  return Buffer.concat(parts)
}

/** @param script shout's script, which contains its module @returns the script with the changed module */
export const withRounding = (script: string): string =>
  script.replace(MODULE, (module) => roundedModule(Buffer.from(module, 'base64')).toString('base64'))
