-- Mails and text messages to users.

-- Written in the transaction of the code or change; sent after the commit, by one server at a time.
create table outbox (
    id            uuid primary key,                    -- the mail's Message-ID, the text message's idempotency key
    medium        text not null check (medium in ('email', 'sms')),
    address       text not null,
    kind          text not null,                       -- code.sign_up, account_exists, notice.identity_linked …
    language      text,                                -- null: the service's default
    client_id     text,
    account_id    uuid,
    sealed        bytea,                               -- the content, sealed with the master key; null once settled
    detail        jsonb,                               -- the content if a SQL function wrote it: nothing secret
    state         text not null default 'waiting'
                  check (state in ('waiting', 'sent', 'refused', 'given_up', 'expired', 'bounced')),
    tries         integer not null default 0,          -- claims; the number of the newest claim settles the row
    not_before    timestamptz not null default now(),
    claimed_until timestamptz,                         -- the end of the lease
    provider_id   text,                                -- the delivery provider's id
    refusal       text,
    created_at    timestamptz not null default now(),
    sent_at       timestamptz,
    expires_at    timestamptz                          -- null: a notice without a lease so far
);
create index outbox_due on outbox (medium, greatest(not_before, claimed_until)) where state = 'waiting';
create index outbox_provider on outbox (medium, provider_id) where provider_id is not null;
create index outbox_account on outbox (account_id) where account_id is not null;
create index outbox_address on outbox (medium, lower(address collate "C"), created_at);
create index outbox_age on outbox (created_at);

-- A message that a server prepared. Times in seconds.
create type outgoing_message as (
    id            uuid,
    medium        text,
    address       text,
    kind          text,
    language      text,
    client_id     text,
    account_id    uuid,
    sealed        bytea,
    lease_seconds integer,
    life_seconds  integer
);

-- The texts of messages that operators changed; every other text is bundled with the server.
create table message_texts (
    language   text not null,                          -- en, de …
    key        text not null,                          -- code.subject …
    text       text not null,
    changed_at timestamptz not null default now(),
    primary key (language, key)
);
