import { createServer } from 'node:http'
import { json } from 'node:stream/consumers'

// A stand-in for a model, to try the runtime without one: answers chat completions with the prompt that it was sent.

const { PORT = '8090' } = process.env
const server = createServer((request, response) => {
  void json(request).then(({ messages: [system, user] }) => {
    const content = `Stand-in, not a model. You said: ${user.content}\nMy prompt:\n${system.content}`
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify({ choices: [{ message: { role: 'assistant', content } }] }))
  })
})
server.listen(Number(PORT), '127.0.0.1', () => console.log(`Ready: http://127.0.0.1:${server.address().port}`))
