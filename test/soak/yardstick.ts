// Response time of a minimal server in its own process: it shows the drift of the machine itself.

const script = `
  const server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response('here') })
  console.log(server.port)`

export type Yardstick = { measureMs(): Promise<number>; [Symbol.asyncDispose](): Promise<void> }

export async function createYardstick(): Promise<Yardstick> {
  const child = Bun.spawn([process.execPath, '-e', script], { stdout: 'pipe' })
  const { value } = await child.stdout.getReader().read()
  const url = `http://127.0.0.1:${new TextDecoder().decode(value).trim()}`
  return {
    async measureMs() {
      const startedAt = performance.now()
      await (await fetch(url)).text()
      return performance.now() - startedAt
    },
    async [Symbol.asyncDispose]() {
      child.kill()
      await child.exited
    },
  }
}
