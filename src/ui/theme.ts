// Sets the chosen theme before the first paint, so that the page does not flash in the other one. Without a choice, CSS
// follows the system.

/** Accessing `localStorage` throws if site data is blocked. */
function storedTheme(): string | null {
  try {
    return localStorage.getItem('theme')
  } catch {
    return null
  }
}

const chosen = storedTheme()
if (chosen === 'light' || chosen === 'dark') document.documentElement.dataset.theme = chosen
