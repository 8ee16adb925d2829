-- Enumerations and names in tables that a sign-in writes to. They are domains, because PostgreSQL parses a table's CHECK in
-- each statement, but caches that of a domain.
create domain account_status as text check (value in ('active', 'disabled', 'closed'));
create domain password_state as text check (value in ('usable', 'temporary', 'reset_required'));
create domain first_factor as text check (value in ('password', 'email_otp', 'sms_otp', 'passkey'));
create domain deletion_side as text check (value in ('person', 'operator', 'back_end'));
create domain joined_by as text check (value in ('own_merge', 'operator', 'back_end', 'import', 'beside_operator'));   -- see is_put_in
create domain shown_name as text check (char_length(value) between 1 and 200);

-- Accounts and their names. One account is one user.
create table accounts (
    id                    uuid primary key,
    status                account_status not null default 'active',
    display_name          shown_name,
    guest                 boolean not null default false,  -- made without a credential, and has none yet
    user_name             text,
    user_name_key         text collate "C",
    attributes            jsonb not null default '{}',     -- by stored name: see ClientAttribute.key
    first_factor          first_factor,                    -- the user's preference
    mfa                   boolean not null default false,  -- the user has a second factor: every sign-in asks for it
    mfa_demanded          boolean not null default false,  -- an operator requires one
    password_state        password_state not null default 'usable',
    merged_into           uuid references accounts on delete set null,
    deletion_requested_at timestamptz,                     -- both are null unless a deletion is pending
    deletion_due_at       timestamptz,
    deletion_by           deletion_side,                   -- who asked; null where the service itself ends the account
    deletion_disabled     boolean not null default false,  -- the deletion disabled the account: cancelling enables it
    client_id             text,                            -- the app at which it was created; null: none. See account_apps
    created_at            timestamptz not null default now(),
    changed_at            timestamptz not null default now()
);
create unique index accounts_user_name_key on accounts (user_name_key) where user_name_key is not null;
create index accounts_guests on accounts (id) where guest;
create index accounts_merged_into on accounts (merged_into) where merged_into is not null;
create index accounts_deletion on accounts (deletion_due_at) where deletion_due_at is not null;

-- E-mail addresses of accounts. `address_key` is the address with ASCII letters in lower case and no other change: Unicode
-- folding could equate two mailboxes, so that one user's proof would open another's account.
create table account_emails (
    account_id           uuid not null references accounts on delete cascade,
    address_key          text collate "C" not null check (octet_length(address_key) between 3 and 254),
    address              text not null,
    source               text not null,                    -- 'person', 'activated' (confirm_user), the provider that reported it, or a word of is_put_in
    proved_at            timestamptz,                      -- null: unproved
    is_relay             boolean not null default false,   -- a forwarding address: for contact, never for linking
    is_main              boolean not null default true,
    added_at             timestamptz not null default now(),
    joined_at            timestamptz,                      -- when it, or its proof, moved here from another account
    joined_by            joined_by,
    added_by             uuid,                             -- the session, or the flow of a sign-in, that proved it; null: none did
    main_since           timestamptz,                      -- when the user made it the main one; null: never
    undeliverable_since  timestamptz,                      -- null: the newest message was accepted
    forwarding_off_since timestamptz,                      -- the user switched the relay off; only the provider clears it
    primary key (address_key, account_id)                  -- serves look-ups by address
);
-- The addresses of an account; one is the main one.
create unique index account_emails_account on account_emails (account_id, (case when is_main then '' else address_key end));
-- A proved address belongs to one account. Unproved claims may be many. Two accounts may share a relay address,
-- which never links: a user may unlink Apple and later sign up with it again.
create unique index account_emails_proved on account_emails (address_key) where proved_at is not null and not is_relay;

-- Telephone numbers of accounts, in E.164 form.
create table account_phones (
    account_id          uuid not null references accounts on delete cascade,
    phone_key           text collate "C" not null check (phone_key ~ '^\+[1-9][0-9]{6,14}$'),
    source              text not null,
    proved_at           timestamptz,
    is_main             boolean not null default true,
    added_at            timestamptz not null default now(),
    joined_at           timestamptz,                       -- as with addresses
    joined_by           joined_by,
    added_by            uuid,
    main_since          timestamptz,
    undeliverable_since timestamptz,
    primary key (account_id, phone_key)
);
create unique index account_phones_main on account_phones (account_id) where is_main;
create unique index account_phones_proved on account_phones (phone_key) where proved_at is not null;
create index account_phones_key on account_phones (phone_key, account_id);

-- Merges, splits, moves, links and unlinks, each with what its undo needs.
create table account_changes (
    id         uuid primary key,
    kind       text not null check (kind in ('merge', 'split', 'move', 'link', 'unlink')),
    account_id uuid not null references accounts on delete cascade,   -- the account that was kept, split or changed
    other_id   uuid references accounts on delete cascade,            -- the account that was merged, created, or moved from
    actor_id   uuid,                                                  -- the operator; null: the user, or the command line
    by_person  boolean not null default false,                        -- the user may undo it
    made_at    timestamptz not null default now(),
    undo_until timestamptz not null default now() + interval '7 days',
    state      jsonb not null,                                        -- the moved items, and the former values
    after      jsonb not null,                                        -- the outlines of both accounts after the change
    undone_at  timestamptz
);
create index account_changes_account on account_changes (account_id, made_at);
create index account_changes_other on account_changes (other_id, made_at) where other_id is not null;
create index account_changes_undo on account_changes (undo_until);
