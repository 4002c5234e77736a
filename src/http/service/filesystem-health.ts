import { constants } from 'node:fs'
import { access } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type Static, Type } from '@sinclair/typebox'
import { CAPTURES_FOLDER } from '../../captures/capture-files.ts'
import { nullable } from '../../lib/schema.ts'
import { defineRoute } from '../contract/route.ts'
import { strictObject } from '../contract/schema.ts'
import { maybeMb, spaceMb } from './disk-space.ts'

export const FilesystemSchema = strictObject(
  {
    healthy: Type.Boolean({
      description: 'false below 500 MB of free space, or if a folder is not writable',
    }),
    disk_free_mb: maybeMb('on the disk with the data'),
    disk_total_mb: maybeMb('on the disk with the data'),
    directories: Type.Array(
      strictObject({
        path: Type.String(),
        exists: Type.Boolean(),
        writable: Type.Boolean(),
        error: nullable(Type.String(), { description: 'what is wrong' }),
      }),
    ),
  },
  { $id: 'FilesystemHealth' },
)

const MIN_FREE_MB = 500

export type FilesystemDeps = { folders: { data: string; inbox: string; models: string } }

export const filesystemHealthRoute = ({ folders }: FilesystemDeps) =>
  defineRoute(
    {
      method: 'GET',
      path: '/health/filesystem',
      operationId: 'getFilesystemHealth',
      summary: 'Check disk space and folders',
      description: 'Checks the disk that holds the data, and each folder the server writes to.',
      tag: 'service',
      responses: {
        200: {
          description: 'The state of the disk and the folders',
          content: { 'application/json': { schema: FilesystemSchema, example: filesystemExample } },
        },
      },
    },
    async () => {
      const { freeMb, totalMb } = await spaceMb(folders.data)
      const directories = await Promise.all(
        [folders.data, join(folders.data, CAPTURES_FOLDER), folders.inbox, folders.models].map(checkFolder),
      )
      const healthy = (freeMb ?? 0) >= MIN_FREE_MB && directories.every(({ writable }) => writable)
      return Response.json({ healthy, disk_free_mb: freeMb, disk_total_mb: totalMb, directories })
    },
  )

/** A missing folder is created with its first file, so its parent must be writable. */
async function checkFolder(path: string) {
  const exists = await isAllowed(path, constants.F_OK)
  const writable = await isAllowed(exists ? path : dirname(path), constants.W_OK)
  return { path, exists, writable, error: writable ? null : 'This folder cannot be written to.' }
}

const isAllowed = (path: string, mode: number): Promise<boolean> =>
  access(path, mode).then(
    () => true,
    () => false,
  )

const filesystemExample: Static<typeof FilesystemSchema> = {
  healthy: true,
  disk_free_mb: 51_200,
  disk_total_mb: 256_000,
  directories: [
    { path: '/home/ada/.local/share/local-dictation/captures', exists: true, writable: true, error: null },
  ],
}
