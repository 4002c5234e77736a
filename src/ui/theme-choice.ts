// Which theme the page is drawn in: the system's, or one that a person chose and this browser keeps.
// What keeps it from flashing at a load is theme.ts.

import { signal } from '@preact/signals'

export type Theme = 'system' | 'light' | 'dark'

const KEPT = 'theme'

const kept = (): Theme => {
  const value = localStorage.getItem(KEPT)
  return value === 'light' || value === 'dark' ? value : 'system'
}

export const theme = signal<Theme>(kept())

export function chooseTheme(chosen: Theme): void {
  theme.value = chosen
  if (chosen === 'system') {
    localStorage.removeItem(KEPT)
    delete document.documentElement.dataset.theme
  } else {
    localStorage.setItem(KEPT, chosen)
    document.documentElement.dataset.theme = chosen
  }
}
