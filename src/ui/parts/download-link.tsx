// A link to a file of the server, so that a browser saves it its own way.
// What the file is called, the server says.

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
