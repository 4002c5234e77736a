// Which theme the page is drawn in: the system's, or one that a person chose and this browser keeps.
// What keeps it from flashing at a load is theme.ts.

import { signal } from '@preact/signals'
import { forget, remember, remembered } from './memory.ts'

export type Theme = 'system' | 'light' | 'dark'

const KEPT = 'theme'

const kept = (): Theme => {
  const value = remembered(KEPT)
  return value === 'light' || value === 'dark' ? value : 'system'
}

export const theme = signal<Theme>(kept())

export function chooseTheme(chosen: Theme): void {
  theme.value = chosen
  if (chosen === 'system') {
    forget(KEPT)
    delete document.documentElement.dataset.theme
  } else {
    remember(KEPT, chosen)
    document.documentElement.dataset.theme = chosen
  }
}
