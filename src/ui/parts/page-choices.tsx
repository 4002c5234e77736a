// The page's own preferences (theme and language), stored in this browser.

import { keepLanguage, PAGE_LANGUAGES, pageLanguage, strings } from '../strings/strings.ts'
import { chooseTheme, type Theme, theme } from '../theme-choice.ts'

export const ThemeChoice = ({ id }: { id: string }) => {
  const { shell } = strings.value
  return (
    <div class="field">
      <label for={id}>{shell.theme}</label>
      <select
        id={id}
        value={theme.value}
        onChange={({ currentTarget }) => chooseTheme(currentTarget.value as Theme)}
      >
        {Object.entries(shell.themes).map(([value, name]) => (
          <option key={value} value={value}>
            {name}
          </option>
        ))}
      </select>
    </div>
  )
}

export const LanguageChoice = ({ id }: { id: string }) => (
  <div class="field">
    <label for={id}>{strings.value.shell.language}</label>
    <select
      id={id}
      value={pageLanguage.value}
      onChange={({ currentTarget }) => void keepLanguage(currentTarget.value)}
    >
      {Object.entries(PAGE_LANGUAGES).map(([tag, name]) => (
        <option key={tag} value={tag} lang={tag}>
          {name}
        </option>
      ))}
    </select>
  </div>
)
