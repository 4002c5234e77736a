import { useState } from 'preact/hooks'
import { figure } from '../parts/formats.ts'
import { Heading } from '../parts/layout.tsx'
import { useLoad, WhenLoaded } from '../parts/load.tsx'
import { attempt, note, offerUndo } from '../parts/toasts.tsx'
import { request } from '../server/request.ts'
import type { ListOf, ShownStyle } from '../server/wire.ts'
import { filled, strings } from '../strings/strings.ts'
import { contentOf, styleDraftOf } from './style-draft.ts'
import { StyleForm } from './style-form.tsx'
import { TriedStyle } from './style-preview.tsx'

const ADDRESS = '/writing-styles'

export const StylesView = () => {
  const { views, styles: words } = strings.value
  const [chosen, choose] = useState<string | null>(null)
  const list = useLoad((signal) => request<ListOf<ShownStyle>>(ADDRESS, { signal }))
  const create = async (content: object) => {
    const made = await request<ShownStyle>(ADDRESS, { method: 'POST', json: content })
    await list.reload()
    choose(made.id)
  }
  return (
    <>
      <Heading text={views.styles} />
      <p class="muted">{words.about}</p>
      <WhenLoaded of={list}>
        {({ items }) => {
          const style = items.find(({ id }) => id === chosen) ?? items.find(({ is_default }) => is_default)
          return (
            <div class="styles">
              <section aria-label={views.styles} class="stack">
                <ul class="plainlist lines">
                  {items.map((one) => (
                    <StyleRow
                      key={one.id}
                      style={one}
                      isChosen={one === style}
                      choose={() => choose(one.id)}
                    />
                  ))}
                </ul>
                <div>
                  <button
                    type="button"
                    class="primary"
                    onClick={() => void attempt(() => create({ name: freeName(items) }))}
                  >
                    {words.add}
                  </button>
                </div>
              </section>
              {style && (
                <OneStyle key={style.id} style={style} reload={list.reload} create={create} choose={choose} />
              )}
            </div>
          )
        }}
      </WhenLoaded>
    </>
  )
}

/** "New style", "New style 2" … */
function freeName(styles: readonly ShownStyle[]): string {
  const { newName } = strings.value.styles
  const taken = new Set(styles.map(({ name }) => name.toLowerCase()))
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? newName : `${newName} ${number}`
    if (!taken.has(name.toLowerCase())) return name
  }
}

type Row = { style: ShownStyle; isChosen: boolean; choose: () => void }

const StyleRow = ({ style, isChosen, choose }: Row) => {
  const { styles: words } = strings.value
  return (
    <li class={style.enabled ? undefined : 'off'}>
      <div class="what">
        <button type="button" class="plain name" aria-pressed={isChosen} onClick={choose}>
          <span class="word">{style.name}</span>
        </button>{' '}
        {style.is_default && <span class="badge strong">{words.isDefault}</span>}{' '}
        {style.kind === 'custom' && <span class="badge">{words.own}</span>}
        <div class="muted small">{style.description}</div>
        {style.usage_count > 0 && (
          <div class="muted small">{filled(words.used, { n: figure(style.usage_count) })}</div>
        )}
      </div>
    </li>
  )
}

type One = {
  style: ShownStyle
  reload: () => Promise<void>
  create: (content: object) => Promise<void>
  choose: (id: string | null) => void
}

const OneStyle = ({ style, reload, create, choose }: One) => {
  const { styles: words } = strings.value
  const { id, name, kind, is_default: isDefault } = style
  const [draft, setDraft] = useState(() => styleDraftOf(style))
  const [version, setVersion] = useState(0)
  const recreate = (kept: ShownStyle) => {
    setDraft(styleDraftOf(kept))
    setVersion((number) => number + 1)
  }
  const makeDefault = async () => {
    if (await attempt(() => request(`${ADDRESS}/${id}/default`, { method: 'PUT' })))
      note(filled(words.defaultNow, { name }))
    await reload()
  }
  /** Undo restores the current version; the list may be out of date. */
  const contentNow = async () => contentOf(await request<ShownStyle>(`${ADDRESS}/${id}`))
  const reset = async () => {
    await attempt(async () => {
      const before = await contentNow()
      recreate(await request<ShownStyle>(`${ADDRESS}/${id}/reset`, { method: 'POST' }))
      offerUndo(filled(words.wasReset, { name }), async () => {
        recreate(await request<ShownStyle>(`${ADDRESS}/${id}`, { method: 'PUT', json: before }))
        await reload()
      })
    })
    await reload()
  }
  const remove = async () => {
    // Before the deletion: a pending preview would request a deleted style.
    choose(null)
    const isDone = await attempt(async () => {
      const before = await contentNow()
      await request(`${ADDRESS}/${id}`, { method: 'DELETE' })
      offerUndo(filled(words.deleted, { name }), () => create(before))
    })
    if (!isDone) choose(id)
    await reload()
  }
  return (
    <section class="card stack" aria-labelledby="style-title">
      <h2 id="style-title">{name}</h2>
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
      <TriedStyle id={id} draft={draft} />
      <StyleForm key={version} style={style} draft={draft} setDraft={setDraft} reload={reload} />
    </section>
  )
}
