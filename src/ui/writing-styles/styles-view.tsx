import { useState } from 'preact/hooks'
import { useAsked, WhenAnswered } from '../parts/asked.tsx'
import { attempt } from '../parts/attempt.ts'
import { figure } from '../parts/figures.ts'
import { Heading } from '../parts/heading.tsx'
import { note, offerUndo } from '../parts/toasts.tsx'
import { ask } from '../server/ask.ts'
import type { ListOf, ShownStyle } from '../server/wire.ts'
import { filled, strings } from '../strings/strings.ts'
import { contentOf, styleDraftOf } from './style-draft.ts'
import { StyleForm } from './style-form.tsx'
import { TriedStyle } from './style-preview.tsx'

const ADDRESS = '/writing-styles'

export const StylesView = () => {
  const { views, styles: words } = strings.value
  const [chosen, choose] = useState<string | null>(null)
  const list = useAsked((signal) => ask<ListOf<ShownStyle>>(ADDRESS, { signal }))
  const create = async (content: object) => {
    const made = await ask<ShownStyle>(ADDRESS, { method: 'POST', json: content })
    await list.again()
    choose(made.id)
  }
  return (
    <>
      <Heading text={views.styles} />
      <p class="muted">{words.about}</p>
      <WhenAnswered of={list}>
        {({ items }) => {
          const style = items.find(({ id }) => id === chosen) ?? null
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
              {style === null ? (
                <p class="card muted">{words.choose}</p>
              ) : (
                <OneStyle key={style.id} style={style} again={list.again} create={create} choose={choose} />
              )}
            </div>
          )
        }}
      </WhenAnswered>
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
        <div class="muted small">{filled(words.used, { n: figure(style.usage_count) })}</div>
      </div>
    </li>
  )
}

type One = {
  style: ShownStyle
  again: () => Promise<void>
  create: (content: object) => Promise<void>
  choose: (id: string | null) => void
}

const OneStyle = ({ style, again, create, choose }: One) => {
  const { styles: words } = strings.value
  const { id, name, kind, is_default: isDefault } = style
  const [draft, setDraft] = useState(() => styleDraftOf(style))
  const [version, setVersion] = useState(0)
  const beginAnew = (kept: ShownStyle) => {
    setDraft(styleDraftOf(kept))
    setVersion((number) => number + 1)
  }
  const makeDefault = async () => {
    if (await attempt(() => ask(`${ADDRESS}/${id}/default`, { method: 'PUT' })))
      note(filled(words.defaultNow, { name }))
    await again()
  }
  /** Undo restores the current version; the list may be out of date. */
  const contentNow = async () => contentOf(await ask<ShownStyle>(`${ADDRESS}/${id}`))
  const reset = async () => {
    await attempt(async () => {
      const before = await contentNow()
      beginAnew(await ask<ShownStyle>(`${ADDRESS}/${id}/reset`, { method: 'POST' }))
      offerUndo(filled(words.wasReset, { name }), async () => {
        beginAnew(await ask<ShownStyle>(`${ADDRESS}/${id}`, { method: 'PUT', json: before }))
        await again()
      })
    })
    await again()
  }
  const remove = async () => {
    // Before the deletion: a pending preview would request a deleted style.
    choose(null)
    const isDone = await attempt(async () => {
      const before = await contentNow()
      await ask(`${ADDRESS}/${id}`, { method: 'DELETE' })
      offerUndo(filled(words.deleted, { name }), () => create(before))
    })
    if (!isDone) choose(id)
    await again()
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
      <StyleForm key={version} style={style} draft={draft} setDraft={setDraft} again={again} />
    </section>
  )
}
