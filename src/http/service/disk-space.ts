// Disk space in whole megabytes, for the health endpoints.

import { Type } from '@sinclair/typebox'
import { diskSpace } from '../../lib/disk-space.ts'
import { nullable } from '../../lib/schema.ts'

export const maybeMb = (description: string) => nullable(Type.Integer({ minimum: 0 }), { description })

/** Null if the system does not report it. */
export async function spaceMb(folder: string): Promise<{ freeMb: number | null; totalMb: number | null }> {
  try {
    const { freeBytes, totalBytes } = await diskSpace(folder)
    return { freeMb: Math.floor(freeBytes / 1_000_000), totalMb: Math.floor(totalBytes / 1_000_000) }
  } catch {
    return { freeMb: null, totalMb: null }
  }
}
