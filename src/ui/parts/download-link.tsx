// A link that downloads a file of the server; the server sets the file name.

import type { ComponentChildren } from 'preact'
import { hasSession } from '../server/session.ts'
import { addressFor } from '../server/ticket.ts'
import { attempt } from './toasts.tsx'

export function saveBlob({ blob, name }: { blob: Blob; name: string }): void {
  const address = URL.createObjectURL(blob)
  saveFrom(address, name)
  // Revoked only after the browser has started to write the file.
  setTimeout(() => URL.revokeObjectURL(address), 60_000)
}

/** @param name defaults to the server's name */
function saveFrom(address: string, name = ''): void {
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
}

type Props = { href: string; class?: string; onClick?: () => void; children: ComponentChildren }

export const DownloadLink = ({ href, onClick, ...others }: Props) => {
  const follow = (event: MouseEvent) => {
    onClick?.()
    if (!hasSession()) return
    event.preventDefault()
    void attempt(async () => saveFrom(await addressFor(href)))
  }
  return <a {...others} href={href} download onClick={follow} />
}
