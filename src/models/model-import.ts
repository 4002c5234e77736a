// Imports a user's model file: streams it to disk, verifies it, gives it its name. Does not try it out in the engine.

import { type FileHandle, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { diskSpace, isDiskFull } from '../lib/disk-space.ts'
import { makeFolder, UNFINISHED_SUFFIX } from '../lib/durable.ts'
import { fail, type Result, succeed } from '../lib/result.ts'
import { CATALOGUE, checkModelName, exactName } from './catalogue.ts'
import { DISK_FULL, notWritable, ROOM_LEFT_BYTES } from './download-failure.ts'
import { DOWNLOADS_FOLDER, type FolderTurn } from './part-file.ts'
import type { ModelStore } from './store.ts'

export type ImportFailure = {
  code:
    | 'empty_file'
    | 'body_interrupted'
    | 'file_too_large'
    | 'invalid_model'
    | 'model_exists'
    | 'model_folder_busy'
    | 'folder_not_writable'
    | 'disk_full'
  message: string
  /** the existing model of that name */
  conflictingId?: string
}

/** A received file without a final name; the caller must admit or discard it. */
export type ArrivedModel = { path: string; bytes: number; sha256: string; giveBack: () => void }

export type ModelImport = ReturnType<typeof createModelImport>

/** First bytes of every ggml file: 0x67676d6c, little endian. */
const MAGIC = Buffer.from('lmgg')

const NOT_GGML: ImportFailure = {
  code: 'invalid_model',
  message:
    'This is not a Whisper model in ggml format (such as ggml-base.bin of whisper.cpp); GGUF, PyTorch and ONNX files are not supported.',
}
const INTERRUPTED: ImportFailure = {
  code: 'body_interrupted',
  message: 'The connection closed before the whole file had arrived. Send it again.',
}

export function createModelImport({
  modelsFolder,
  store,
  folderTurn,
  maxModelBytes,
}: {
  modelsFolder: string
  store: Pick<ModelStore, 'find' | 'resolve' | 'admit'>
  folderTurn: FolderTurn
  maxModelBytes: number
}) {
  const folder = join(modelsFolder, DOWNLOADS_FOLDER)

  const tooLarge: ImportFailure = {
    code: 'file_too_large',
    message: `The file is larger than the engine's limit of ${Math.floor(maxModelBytes / 1_000_000)} MB.`,
  }

  const copy = async (file: FileHandle, path: string, body: AsyncIterable<Uint8Array>) => {
    const hasher = new Bun.CryptoHasher('sha256')
    let head = Buffer.alloc(0)
    let bytes = 0
    const chunks = interruptible(body)
    for await (const chunk of chunks) {
      if (chunk === null) return fail(INTERRUPTED)
      bytes += chunk.length
      if (bytes > maxModelBytes) return fail(tooLarge)
      if (head.length < MAGIC.length) head = Buffer.concat([head, chunk.subarray(0, MAGIC.length)])
      if (!MAGIC.subarray(0, head.length).equals(head.subarray(0, MAGIC.length))) return fail(NOT_GGML)
      hasher.update(chunk)
      await file.writeFile(chunk)
    }
    if (bytes === 0) return fail<ImportFailure>({ code: 'empty_file', message: 'The file is empty.' })
    return succeed({ path, bytes, sha256: hasher.digest('hex') })
  }

  return {
    /** @param expectedBytes as declared by the client; 0 if unknown */
    async receive(
      body: AsyncIterable<Uint8Array>,
      expectedBytes: number,
    ): Promise<Result<ArrivedModel, ImportFailure>> {
      const path = join(folder, `import-${crypto.randomUUID()}${UNFINISHED_SUFFIX}`)
      let giveBack = () => {}
      const abandon = async () => {
        await rm(path, { force: true }).catch(() => {})
        giveBack()
      }
      try {
        await makeFolder(folder)
        if ((await diskSpace(folder)).freeBytes < expectedBytes + ROOM_LEFT_BYTES) return fail(DISK_FULL)
        const turn = await folderTurn.take()
        if (!turn.ok) return turn
        giveBack = turn.value.giveBack
        const file = await open(path, 'wx', 0o600)
        const received = await copy(file, path, body).finally(() => file.close())
        if (received.ok) return succeed({ ...received.value, giveBack })
        await abandon()
        return received
      } catch (error) {
        await abandon()
        return fail(isDiskFull(error) ? DISK_FULL : notWritable(error))
      }
    },

    /**
     * A published file gets its published name, any other file the given one.
     * @param name as checked by `importName`
     */
    async admit(
      { path, bytes, sha256, giveBack }: ArrivedModel,
      name: string,
    ): Promise<Result<string, ImportFailure>> {
      try {
        const published = CATALOGUE.find((model) => model.sha256 === sha256)
        if (!published && checkModelName(name).ok) return fail(takenByCatalogue(name))
        const requested = published ? exactName(published) : name
        const file = published?.file ?? `ggml-${name}.bin`
        const here = await store.find(published ? requested : file)
        if (here?.file === file && (await store.resolve(requested)).ok) return fail(exists(here.name))
        const expected = { file, sha256: published?.sha256 ?? null, bytes }
        const admitted = await store.admit({ from: path, expected })
        if (admitted.ok) return succeed(published?.name ?? name)
        return fail({ code: 'invalid_model', message: admitted.failure.message })
      } catch (error) {
        return fail(isDiskFull(error) ? DISK_FULL : notWritable(error))
      } finally {
        await rm(path, { force: true }).catch(() => {})
        giveBack()
      }
    },

    async discard({ path, giveBack }: ArrivedModel): Promise<void> {
      await rm(path, { force: true }).catch(() => {})
      giveBack()
    },
  }
}

/** Yields null if the client disconnects. */
async function* interruptible(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array | null> {
  try {
    yield* body
  } catch {
    yield null
  }
}

/** The model name of a file name: `ggml-My Model.bin` → `my-model`; null if nothing is left. */
export function importName(fileName: string | null): string | null {
  const stem = (fileName ?? '')
    .replace(/^.*[/\\]/, '')
    .toLowerCase()
    .replace(/\.bin$/, '')
    .replace(/^ggml-/, '')
  const name = stem
    .replace(/[^a-z0-9._-]+/g, '-')
    .replace(/^[._-]+|[._-]+$/g, '')
    .slice(0, 100)
  return name === '' ? null : name
}

const takenByCatalogue = (name: string): ImportFailure => ({
  code: 'invalid_model',
  message: `${name} is the name of a published model, and this file is not it (SHA-256 differs). Send it under another name.`,
})

const exists = (name: string): ImportFailure => ({
  code: 'model_exists',
  message: `A model called ${name} already exists. Delete it first, or send this one under another name.`,
  conflictingId: name,
})
