// Sets the theme that a person chose before anything is drawn, so that no page flashes in the other one.
// Choosing is settings/theme-choice.ts's; without a choice the system's counts, by CSS alone.

/** Naming `localStorage` throws where site data is blocked. */
function keptTheme(): string | null {
  try {
    return localStorage.getItem('theme')
  } catch {
    return null
  }
}

const chosen = keptTheme()
if (chosen === 'light' || chosen === 'dark') document.documentElement.dataset.theme = chosen
