// One writing style: what is done with it, a text to try it on, and its form.

import { useState } from 'preact/hooks'
import { goTo, linkTo } from '../address.ts'
import { Icon } from '../parts/icons.tsx'
import { Heading } from '../parts/layout.tsx'
import { attempt, note, offerUndo } from '../parts/toasts.tsx'
import { request } from '../server/request.ts'
import type { ShownStyle } from '../server/wire.ts'
import { filled, strings } from '../strings/strings.ts'
import { contentOf, styleDraftOf } from './style-draft.ts'
import { StyleForm } from './style-form.tsx'
import { TriedStyle } from './style-preview.tsx'

type One = {
  style: ShownStyle
  reload: () => Promise<void>
  create: (content: object) => Promise<void>
}

export const OneStyle = ({ style, reload, create }: One) => {
  const { styles: words } = strings.value
  const { id, name, kind, is_default: isDefault } = style
  const [draft, setDraft] = useState(() => styleDraftOf(style))
  const [version, setVersion] = useState(0)
  const path = `/writing-styles/${id}`
  const recreate = (kept: ShownStyle) => {
    setDraft(styleDraftOf(kept))
    setVersion((number) => number + 1)
  }
  const makeDefault = async () => {
    if (await attempt(() => request(`${path}/default`, { method: 'PUT' })))
      note(filled(words.defaultNow, { name }))
    await reload()
  }
  /** Undo restores the current version; the list may be out of date. */
  const contentNow = async () => contentOf(await request<ShownStyle>(path))
  const reset = async () => {
    await attempt(async () => {
      const before = await contentNow()
      recreate(await request<ShownStyle>(`${path}/reset`, { method: 'POST' }))
      offerUndo(filled(words.wasReset, { name }), async () => {
        recreate(await request<ShownStyle>(path, { method: 'PUT', json: before }))
        await reload()
      })
    })
    await reload()
  }
  const remove = async () => {
    const isDone = await attempt(async () => {
      const before = await contentNow()
      // Before the deletion: a pending preview would request a deleted style.
      goTo(['writing-styles'])
      await request(path, { method: 'DELETE' })
      offerUndo(filled(words.deleted, { name }), () => create(before))
    })
    if (!isDone) goTo(['writing-styles', id])
  }
  return (
    <>
      <div class="viewhead">
        <div class="row">
          <a
            class="button quiet icon"
            href={linkTo(['writing-styles'])}
            title={words.all}
            aria-label={words.all}
          >
            <Icon name="back" />
          </a>
          <Heading text={name} />
          {isDefault && <span class="badge strong">{words.isDefault}</span>}
        </div>
        <div class="row">
          {!isDefault && (
            <button type="button" onClick={() => void makeDefault()}>
              {words.makeDefault}
            </button>
          )}
          {kind === 'builtin' && (
            <button type="button" onClick={() => void reset()}>
              {words.reset}
            </button>
          )}
          <button
            type="button"
            onClick={() =>
              void attempt(() => create({ ...contentOf(style), name: filled(words.copyName, { name }) }))
            }
          >
            {words.copy}
          </button>
          {kind === 'custom' && !isDefault && (
            <button type="button" class="danger" onClick={() => void remove()}>
              {words.delete}
            </button>
          )}
        </div>
      </div>
      <div class="styles">
        <section class="card" aria-label={words.try}>
          <TriedStyle id={id} draft={draft} />
        </section>
        <StyleForm key={version} style={style} draft={draft} setDraft={setDraft} reload={reload} />
      </div>
    </>
  )
}
