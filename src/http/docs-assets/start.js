// Starts Swagger UI on the documentation page; a file because the page's policy allows no inline scripts.
// Runs in the browser.

SwaggerUIBundle({
  url: '/docs/json',
  dom_id: '#documentation',
  deepLinking: true,
  tryItOutEnabled: true,
  displayRequestDuration: true,
  // Otherwise the page would send the document to a validator on the internet.
  validatorUrl: null,
})
