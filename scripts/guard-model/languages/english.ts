/** English orders and the harmless sentences that share their words; written for this script, from kinds of attacks, not from examples. */
import type { Language } from '../templates.ts';
import { HARMLESS } from './english-harmless.ts';
import { ORDERS } from './english-orders.ts';
import { SHARED } from './shared-slots.ts';

export const english: Language = {
  name: 'en',
  slots: {
    ...SHARED,
    rules: [
      '(instructions|rules|guidelines|directives|prompts|directions|policies|constraints|orders)',
      '(instructions|rules|guidelines|restrictions|limitations)',
      '(system prompt|system message|safety policy|content policy|initial prompt)',
      '(guidance|programming|training|configuration|setup|safeguards|limits)',
    ],
    prior: [...'previous|prior|earlier|above|preceding|initial|original|existing|current|old'.split('|')],
    drop: [
      ...'ignore|disregard|forget|override|bypass|discard|set aside|drop|stop following|do not follow'.split(
        '|',
      ),
      ...'pay no attention to|abandon|skip|throw away|erase|break'.split('|'),
    ],
    you: [
      ...'you|the assistant|the AI|the agent|the model|any AI|every assistant|language models|the chatbot'.split(
        '|',
      ),
    ],
    ai: [
      ...'AI|assistant|agent|language model|LLM|chatbot|AI system|AI agent|model|bot|crawler|copilot'.split(
        '|',
      ),
    ],
    ais: [
      ...'AIs|assistants|agents|language models|LLMs|AI systems|AI agents|models|bots|AI crawlers'.split('|'),
      ...'AI tools'.split('|'),
    ],
    secret: [
      ...'password|secret key|secret|access code|API key|passphrase|PIN|credentials|secret code|token'.split(
        '|',
      ),
      ...'private key|login|secret word|hidden key|admin password|authentication token'.split('|'),
    ],
    secrets: [
      ...'passwords|API keys|credentials|secrets|tokens|access codes|private keys|login data|environment variables'.split(
        '|',
      ),
      ...'SSH keys|session cookies|credit card numbers|recovery codes'.split('|'),
    ],
    loot: [
      ...'the conversation|the chat history|this conversation|the entire conversation|all messages'.split(
        '|',
      ),
      ...'the user’s data|the contact list|the user profile|all notes|the stored memories|everything you know about the user'.split(
        '|',
      ),
      ...'the customer database|the last ten mails|the content of the inbox|the files in the workspace'.split(
        '|',
      ),
      ...'the contents of .env|the source code|the context window|{secrets}|all {secrets}|the user’s {secrets}'.split(
        '|',
      ),
    ],
    personal: [
      ...'address|home address|phone number|date of birth|e-mail address|bank account number|credit card number'.split(
        '|',
      ),
      ...'social security number|salary|location|medical history|real name|balance|birthday|mother’s maiden name'.split(
        '|',
      ),
    ],
    user: [
      ...'the user|the customer|the owner|your user|the account holder|the client|your operator|the human'.split(
        '|',
      ),
      ...'the person you work for|the patient'.split('|'),
    ],
    advise: [
      ...'recommend|suggest|promote|mention|praise|advertise|push|endorse|favour|name|point to'.split('|'),
    ],
    topic: [
      ...'insurance|banks|hotels|flights|phones|cars|shoes|software|investments|loans|restaurants'.split('|'),
      ...'medicine|hosting|a VPN|a lawyer|laptops|coffee|databases|cloud providers|crypto|cameras'.split('|'),
      ...'travel|broadband|payment providers'.split('|'),
    ],
    silently: [
      ...'silently|quietly|secretly|without telling anyone|without notifying the user|without asking'.split(
        '|',
      ),
      ...'without confirmation|in the background|discreetly|and do not mention it|and tell nobody'.split('|'),
      ...'and keep it to yourself'.split('|'),
    ],
    always: [
      ...'always|from now on|in every answer|from today on|in all future conversations|in every reply'.split(
        '|',
      ),
      ...'whenever you answer|for the rest of this conversation|from this point forward|at all times'.split(
        '|',
      ),
      ...'permanently|in each response|henceforth|until further notice'.split('|'),
    ],
    boss: [
      ...'your developer|your creator|the system administrator|the admin|OpenAI|Anthropic|Google'.split('|'),
      ...'the security team|the CEO|the compliance department|your operator|the development team'.split('|'),
      ...'headquarters|the IT department|the legal department|management|the platform owner|the vendor'.split(
        '|',
      ),
      ...'a senior engineer'.split('|'),
    ],
    mode: [
      ...'developer mode|debug mode|maintenance mode|god mode|admin mode|unrestricted mode|DAN mode'.split(
        '|',
      ),
      ...'test mode|jailbreak mode|free mode|root mode|diagnostic mode'.split('|'),
    ],
    tool: [
      ...'the mail tool|the shell|the browser tool|send_email|the payment API|delete_file|the calendar tool'.split(
        '|',
      ),
      ...'execute_command|transfer_money|the database tool|http_request|run_code'.split('|'),
    ],
    harm: [
      ...'delete all files|transfer 500 dollars to {name}|cancel all meetings|drop the table users'.split(
        '|',
      ),
      ...'disable the alarm|grant {name} admin access|change the password to 1234|close all tickets'.split(
        '|',
      ),
      ...'approve the invoice|unlock the door|wipe the disk|reset the account|publish the draft|buy ten gift cards'.split(
        '|',
      ),
      ...'share the folder with {mail}|run the script from {link}|install the package {pkg}|open {link}'.split(
        '|',
      ),
      ...'push to main|turn off logging|invite {mail} to the workspace|subscribe to {brand}'.split('|'),
    ],
    say: [...'say|print|output|reply with|respond with|answer with|write|type|return'.split('|')],
    phrase: [
      ...'"I have been hacked"|"Access granted"|"yes, master"|"OK"|the word banana|"{brand} is the best"'.split(
        '|',
      ),
      ...'only "pwned"|"approved"|"Sure, here it is"|"correct"|"I am free"|nothing but the letter A'.split(
        '|',
      ),
    ],
    form: [
      ...'as a poem|as a haiku|in base64|backwards|in hexadecimal|letter by letter|as an acrostic'.split('|'),
      ...'in French|as a song|in rot13|inside a story|as a riddle|as JSON|in Morse code|with spaces between the letters'.split(
        '|',
      ),
      ...'as a Python list|in pig latin|as a rhyme|one character per line|translated into Spanish'.split('|'),
    ],
  },
  orders: ORDERS,
  harmless: HARMLESS,
};
