// A real S3 server, SeaweedFS from its PyPI wheel, on free ports with one bucket. `npm run clients` installs it.

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { S3Client } from 'bun'
import type { BucketAddress } from '../../src/store/bucket.ts'
import { pythonWith, SEAWEEDFS } from '../clients/venvs.ts'
import { until } from './until.ts'

export type S3Server = BucketAddress & { endpoint: string; [Symbol.asyncDispose](): Promise<void> }

export const isS3ServerInstalled = (): boolean => program() !== null

function program(): string | null {
  const python = pythonWith(SEAWEEDFS)
  return python && join(dirname(python), 'weed')
}

const BUCKET = 'recordings'
const KEYS = { accessKeyId: 'reader', secretAccessKey: 'a secret of the tests' }
const ACTIONS = ['Admin', 'Read', 'Write', 'List', 'Tagging']

/** @throws if it is not installed */
export async function startS3Server(): Promise<S3Server> {
  const weed = program()
  if (weed === null) throw new Error('SeaweedFS is not installed')
  const folder = await mkdtemp(join(tmpdir(), 'dictation-s3-'))
  const identities = [
    {
      name: 'tests',
      credentials: [{ accessKey: KEYS.accessKeyId, secretKey: KEYS.secretAccessKey }],
      actions: ACTIONS,
    },
  ]
  await writeFile(join(folder, 's3.json'), JSON.stringify({ identities }))
  const ports = await freePorts(8)
  const [s3 = 0] = ports
  const named = ['s3', 'master', 'volume', 'filer'].flatMap((part, index) => [
    `-${part}.port=${ports[2 * index]}`,
    `-${part}.port.grpc=${ports[2 * index + 1]}`,
  ])
  const settings = [
    '-ip=127.0.0.1',
    '-ip.bind=127.0.0.1',
    '-s3',
    '-s3.autoCreateBucket=false',
    '-s3.port.iceberg=0',
    '-s3.port.lance=0',
  ]
  const limits = ['-master.volumeSizeLimitMB=64', '-master.volumePreallocate=false', '-volume.max=0']
  const server = Bun.spawn(
    [
      weed,
      'server',
      `-dir=${folder}`,
      `-s3.config=${join(folder, 's3.json')}`,
      ...settings,
      ...limits,
      ...named,
    ],
    { cwd: folder, stdout: 'ignore', stderr: 'ignore', env: { HOME: folder, PATH: process.env.PATH ?? '' } },
  )
  const endpoint = `http://127.0.0.1:${s3}`
  const address = { ...KEYS, bucket: BUCKET, prefix: '', endpoint, region: 'us-east-1', sessionToken: null }
  const stop = async () => {
    server.kill('SIGKILL')
    await server.exited
    await rm(folder, { recursive: true, force: true })
  }
  try {
    await until(() => makeBucket(address, `http://127.0.0.1:${ports[6]}`), {
      timeoutMs: 60_000,
      what: 'the bucket of SeaweedFS',
    })
  } catch (error) {
    await stop()
    throw error
  }
  return { ...address, [Symbol.asyncDispose]: stop }
}

/** True once a file in the bucket can be written, for which all of its processes must have found each other. */
async function makeBucket({ endpoint, bucket, ...keys }: BucketAddress, filer: string): Promise<boolean> {
  const at = { accessKeyId: keys.accessKeyId, secretAccessKey: keys.secretAccessKey, region: keys.region }
  try {
    // A bucket is a folder of its file server; Bun's client cannot create one.
    await fetch(`${filer}/buckets/${bucket}/`, { method: 'POST' })
    const client = new S3Client({ ...at, endpoint: endpoint ?? '', bucket })
    const { ok } = await fetch(client.presign('first', { method: 'PUT' }), { method: 'PUT', body: 'first' })
    if (ok) await client.delete('first')
    return ok
  } catch {
    return false
  }
}

async function freePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer())
  for (const server of servers) await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const ports = servers.map((server) => {
    const address = server.address()
    if (address === null || typeof address === 'string') throw new Error('no free port')
    return address.port
  })
  for (const server of servers) await new Promise((resolve) => server.close(resolve))
  return ports
}
