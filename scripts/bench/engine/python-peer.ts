// A peer in a long-running Python process: prints its version, then answers each line with a line of JSON.

export type PythonPeer<Answer> = {
  /** from the program's first line */
  version: string
  /** @throws Error if the process has ended */
  request(line: string): Promise<Answer>
  close(): Promise<void>
}

async function* linesOf(stream: ReadableStream<Uint8Array>) {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const bytes of stream) {
    const lines = (rest + decoder.decode(bytes, { stream: true })).split('\n')
    rest = lines.pop() ?? ''
    yield* lines
  }
}

/** @param program reads lines from its standard input; `args` are its `sys.argv[1:]` */
export const openPythonPeer = async <Answer>(
  python: string,
  program: string,
  args: readonly string[],
): Promise<PythonPeer<Answer>> => {
  const child = Bun.spawn([python, '-c', program, ...args], {
    stdin: 'pipe',
    stdout: 'pipe',
    stderr: 'inherit',
    env: { ...process.env, HF_HUB_OFFLINE: '1' },
  })
  const lines = linesOf(child.stdout)
  const next = async () => {
    const { value } = await lines.next()
    if (value === undefined) throw new Error(`${python} ended: has it all that --help names?`)
    return JSON.parse(value)
  }
  const { version } = await next()
  return {
    version,
    request(line) {
      child.stdin.write(`${line}\n`)
      child.stdin.flush()
      return next()
    },
    async close() {
      child.stdin.end()
      await child.exited
    },
  }
}
