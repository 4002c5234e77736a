// Where the page begins: its language, then the shell with the view that the address names.
// What a view is, is views.ts's.

import { render } from 'preact'
import { followDrops } from './files/drops.tsx'
import { followServer } from './server/connection.ts'
import { Shell } from './shell.tsx'
import { chooseLanguage, languageOfBrowser } from './strings/strings.ts'

await chooseLanguage(languageOfBrowser())
render(<Shell />, document.getElementById('page')!)
followServer()
followDrops()
