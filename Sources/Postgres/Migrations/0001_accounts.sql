-- One account is one person. Everything that lets the person in hangs on it and never moves by itself.
create table accounts (
    id           uuid primary key,
    status       text not null default 'active' check (status in ('active', 'disabled', 'closed')),
    display_name text check (char_length(display_name) between 1 and 200),
    created_at   timestamptz not null default now(),
    changed_at   timestamptz not null default now()
);

-- Addresses of accounts. `address_key` is the address with ASCII letters in lower case and nothing else changed: any
-- Unicode folding here would make two mailboxes one, and one person's proof another person's account.
create table account_emails (
    account_id  uuid not null references accounts on delete cascade,
    address_key text not null check (octet_length(address_key) between 3 and 254),
    address     text not null,
    source      text not null,                    -- 'person', 'operator', or the provider that told it
    proved_at   timestamptz,                      -- null: nobody has proved it
    is_relay    boolean not null default false,   -- a forwarding address: good for contact, never for linking
    is_main     boolean not null default true,    -- the one that the account shows as its own
    added_at    timestamptz not null default now(),
    primary key (account_id, address_key)
);
create unique index account_emails_main on account_emails (account_id) where is_main;

-- A proved address belongs to one account; unproved claims on it may be many and are worth nothing. A relay address
-- decides nothing, so two accounts may show the same one: the person may unlink Apple, and come back with it later.
create unique index account_emails_proved on account_emails (address_key) where proved_at is not null and not is_relay;

-- Every look-up by address, of whatever standing: a partial index would serve none that doesn't repeat its condition.
create index account_emails_key on account_emails (address_key);
