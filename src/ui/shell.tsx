// The frame of every view: navigation, connection notice, toasts.

import type { ComponentType } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { address } from './address.ts'
import { isForgetful } from './browser-storage.ts'
import { DropVeil } from './files/drops.tsx'
import { followShortcuts } from './keys/shortcuts.ts'
import { ShortcutsDialog } from './keys/shortcuts-dialog.tsx'
import { Navigation } from './navigation.tsx'
import { Heading } from './parts/layout.tsx'
import { Announcer, Toasts, undoLast } from './parts/toasts.tsx'
import { onServerEvent, retryInSeconds, retryNow } from './server/connection.ts'
import { isServerReachable } from './server/request.ts'
import { filled, strings } from './strings/strings.ts'
import { type View, type ViewProps, viewAt } from './views.ts'

const loaded = new Map<View, ComponentType<ViewProps>>()

type Shown = { view: View; component: ComponentType<ViewProps> } | 'loading' | 'unreachable' | 'failed'

/**
 * The view of an address. The previous one stays until the code of the new one has loaded; a failed load is retried
 * when the server is back.
 */
function useView(view: View | null): Shown | null {
  const [shown, show] = useState<Shown>('loading')
  useEffect(() => {
    if (view === null) return
    let isWanted = true
    const here = (component: ComponentType<ViewProps>) => {
      loaded.set(view, component)
      if (isWanted) show({ view, component })
    }
    const fail = async () => {
      const state = (await isServerReachable()) ? 'failed' : 'unreachable'
      if (isWanted) show(state)
    }
    const load = () => {
      const given = loaded.get(view) ?? view.load()
      if (given instanceof Promise) given.then(here, fail)
      else here(given)
    }
    load()
    const end = onServerEvent(({ name }) => name === 'reset' && !loaded.has(view) && load())
    return () => {
      isWanted = false
      end()
    }
  }, [view])
  return view === null ? null : shown
}

export const Shell = () => {
  useEffect(() => {
    const heedNoMore = followShortcuts()
    addEventListener('keydown', undoByKey)
    return () => {
      heedNoMore()
      removeEventListener('keydown', undoByKey)
    }
  }, [])
  return (
    <div class="shell">
      <button type="button" class="skip" onClick={skipToView}>
        {strings.value.shell.skip}
      </button>
      <Navigation />
      <div>
        <ServerGone />
        <NothingStored />
        <main id="view" tabIndex={-1}>
          <Outlet />
        </main>
      </div>
      <DropVeil />
      <ShortcutsDialog />
      <Toasts />
      <Announcer />
    </div>
  )
}

/** Not a link, because `#` addresses a view instead of an element. */
const skipToView = (): void => document.getElementById('view')?.focus()

function undoByKey(event: KeyboardEvent): void {
  const isUndo = event.key.toLowerCase() === 'z' && (event.ctrlKey || event.metaKey) && !event.shiftKey
  const isTyping =
    event.target instanceof Element && event.target.closest('input, textarea, [contenteditable]')
  if (isUndo && !isTyping && undoLast()) event.preventDefault()
}

const Outlet = () => {
  const at = address.value
  const view = viewAt(at)
  const shown = useView(view)
  const last = useRef(at)
  const { shell, views } = strings.value
  if (shown === null || view === null) {
    return (
      <>
        <Heading text={shell.notFound} />
        <p>{shell.notFoundHelp}</p>
      </>
    )
  }
  if (shown === 'loading') return <p class="muted">{shell.loading}</p>
  if (shown === 'unreachable') {
    return (
      <>
        <Heading text={views[view.name]} />
        <p role="alert">{shell.offline}</p>
      </>
    )
  }
  if (shown === 'failed') {
    return (
      <>
        <Heading text={views[view.name]} />
        <p role="alert">{shell.viewFailed}</p>
        <button type="button" onClick={() => location.reload()}>
          {shell.reload}
        </button>
      </>
    )
  }
  // The previous view stays until the code of the next one has loaded, and keeps its own address.
  if (shown.view === view) last.current = at
  return <shown.component key={shown.view.word + shown.view.more} address={last.current} />
}

const NothingStored = () => {
  const [isDismissed, dismiss] = useState(false)
  const { shell } = strings.value
  return (
    <div role="status">
      {isForgetful.value && !isDismissed && (
        <p class="gone">
          {shell.forgetful}{' '}
          <button type="button" class="plain" onClick={() => dismiss(true)}>
            {shell.dismiss}
          </button>
        </p>
      )}
    </div>
  )
}

const ServerGone = () => {
  const seconds = retryInSeconds.value
  const { shell } = strings.value
  return (
    <div role="alert">
      {seconds !== null && (
        <p class="gone">
          {shell.offline}{' '}
          <span class="muted" aria-hidden="true">
            {filled(shell.retryIn, { seconds })}
          </span>{' '}
          <button type="button" class="plain" onClick={() => void retryNow()}>
            {shell.retryNow}
          </button>
        </p>
      )}
    </div>
  )
}
