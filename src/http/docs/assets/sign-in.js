// Exchanges the token for a cookie and shows the page that was asked for; a file because the page's policy allows no
// inline scripts. Runs in the browser.

const form = document.querySelector('form')
const told = document.querySelector('[role=alert]')

form.addEventListener('submit', async (event) => {
  event.preventDefault()
  told.textContent = ''
  try {
    const response = await fetch('/session', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ token: form.elements.token.value }),
    })
    if (response.ok) return location.reload()
    told.textContent = response.status === 401 ? 'This is not the token.' : (await response.json()).detail
  } catch {
    told.textContent = 'The server does not answer.'
  }
  form.elements.token.select()
})
