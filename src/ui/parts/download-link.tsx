// A link that downloads a file of the server; the server sets the file name.

import type { ComponentChildren } from 'preact'
import { hasSession } from '../server/session.ts'
import { addressFor } from '../server/ticket.ts'
import { attempt } from './attempt.ts'
import { saveFrom } from './save-blob.ts'

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
