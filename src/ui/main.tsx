// Where the page begins: its language, then the shell with the view that the address names.
// What a view is, is views.ts's.

import { render } from 'preact'
import { address } from './address.ts'
import { followDrops } from './files/drops.tsx'
import { leaveKeysToInputMethod } from './keys/input-method.ts'
import { askAhead } from './server/ahead.ts'
import { followServer } from './server/connection.ts'
import { isTokenWanted } from './server/session.ts'
import { Shell } from './shell.tsx'
import { SignIn } from './sign-in.tsx'
import { chooseLanguage, languageOfBrowser } from './strings/strings.ts'
import { followTranslation } from './translated.ts'
import { viewAt } from './views.ts'

leaveKeysToInputMethod()
followTranslation()
// At once what the view will need: its data, its code and the words are on their way together.
const view = viewAt(address.value)
if (view?.firstPath) askAhead(view.firstPath(address.value))
void view?.load()
await chooseLanguage(languageOfBrowser())
const Page = () => (isTokenWanted.value ? <SignIn /> : <Shell />)
render(<Page />, document.getElementById('page')!)
followServer()
followDrops()
