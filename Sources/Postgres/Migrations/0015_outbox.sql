-- Every mail and text message leaves through here: written by the statement that makes its code or its change, sent
-- after the commit, by one server at a time.
create table outbox (
    id            uuid primary key,                   -- the Message-ID of the mail, the idempotency key of the text message
    medium        text not null check (medium in ('email', 'sms')),
    address       text not null,
    kind          text not null,                      -- code.sign_up, account_exists, notice.identity_linked …
    language      text,                               -- null: the service's own
    client_id     text,
    account_id    uuid,
    sealed        bytea,                              -- what it says, under the master key; null once it is settled
    detail        jsonb,                              -- the same where a function of the schema wrote it: nothing secret
    state         text not null default 'waiting'
                  check (state in ('waiting', 'sent', 'refused', 'given_up', 'expired', 'bounced')),
    tries         integer not null default 0,         -- claims; the number of the newest one settles
    not_before    timestamptz not null default now(),
    claimed_until timestamptz,                        -- until then it is one server's alone
    provider_id   text,                               -- what whoever delivers it calls it
    refusal       text,
    created_at    timestamptz not null default now(),
    sent_at       timestamptz,
    expires_at    timestamptz not null
);
create index outbox_due on outbox (medium, greatest(not_before, claimed_until)) where state = 'waiting';
create index outbox_provider on outbox (medium, provider_id) where provider_id is not null;
create index outbox_account on outbox (account_id) where account_id is not null;
create index outbox_address on outbox (medium, lower(address collate "C"), created_at);
create index outbox_age on outbox (created_at);

-- Since when nothing gets to an address or number; null: the newest message was taken. Kept here, since the outbox forgets.
alter table account_emails add column undeliverable_since timestamptz;
alter table account_phones add column undeliverable_since timestamptz;
create index account_phones_key on account_phones (phone_key);

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

-- Writes a message, claimed by the server that writes it: it sends at once, and another one takes over when it dies. Null writes nothing.
create function enqueue(p outgoing_message) returns void language plpgsql as $$
begin
    if p.id is null then
        return;
    end if;
    insert into outbox (id, medium, address, kind, language, client_id, account_id, sealed, tries, claimed_until, expires_at)
    values (p.id, p.medium, p.address, p.kind, p.language, p.client_id, p.account_id, p.sealed, 1,
            clock_timestamp() + make_interval(secs => p.lease_seconds), now() + make_interval(secs => p.life_seconds));
end $$;

-- Writes a notice to every proved address of an account; any server sends it once this is committed.
create or replace function notify_account(p_account uuid, p_kind text, p_detail jsonb) returns void language plpgsql as $$
begin
    insert into outbox (id, medium, address, kind, account_id, detail, expires_at)
    select gen_random_uuid(), 'email', e.address, 'notice.' || p_kind, e.account_id, p_detail, now() + interval '1 day'
      from account_emails e where e.account_id = p_account and e.proved_at is not null;
    if found then
        perform pg_notify('gateway_outbox', 'email');
    end if;
end $$;

-- Claims what is due, for one server; what came too late to be of use is not sent any more.
create function claim_outgoing(p_medium text, p_limit integer, p_lease_seconds integer) returns setof outbox language sql as $$
    with due as (
        select o.id, o.expires_at <= now() as is_over from outbox o
         where o.state = 'waiting' and o.medium = p_medium and greatest(o.not_before, o.claimed_until) <= now()
         order by greatest(o.not_before, o.claimed_until) limit p_limit for update skip locked
    ), over as (
        update outbox o set state = 'expired', sealed = null, detail = null, claimed_until = null
          from due where o.id = due.id and due.is_over
    )
    update outbox o set tries = o.tries + 1, claimed_until = clock_timestamp() + make_interval(secs => p_lease_seconds)
      from due where o.id = due.id and not due.is_over
    returning o.*;
$$;

-- Keeps with whoever has an address whether messages get there. What came back counts only while nothing was sent after
-- it (`p_as_of`): one report at a time for an address, so that each sees what the one before has written.
create function note_delivery(p_medium text, p_address text, p_arrives boolean, p_as_of timestamptz) returns void language plpgsql as $$
declare
    key text := lower(p_address collate "C");   -- as accounts know addresses; a number has one spelling
begin
    perform pg_advisory_xact_lock(hashtextextended(key, 3));
    if not p_arrives and exists (select from outbox o where o.medium = p_medium and lower(o.address collate "C") = key
                                                        and o.state = 'sent' and o.sent_at > p_as_of) then
        return;
    end if;
    if p_medium = 'email' then
        update account_emails set undeliverable_since = case when not p_arrives then now() end
         where address_key = key and (undeliverable_since is null) <> p_arrives;
    else
        update account_phones set undeliverable_since = case when not p_arrives then now() end
         where phone_key = key and (undeliverable_since is null) <> p_arrives;
    end if;
end $$;

-- Writes down what became of a claim: sent; refused; or waiting, to be tried again after a time unless that is too
-- late. A claim that was lost meanwhile changes nothing, but what was sent was sent.
create function settle_outgoing(
    p_id uuid, p_tries integer, p_state text, p_provider_id text, p_refusal text, p_retry_seconds double precision)
returns void language plpgsql as $$
declare
    retry_at timestamptz := now() + make_interval(secs => coalesce(p_retry_seconds, 0));
    settled record;
begin
    if p_state = 'waiting' then
        update outbox set not_before = retry_at, claimed_until = null, refusal = p_refusal
         where id = p_id and state = 'waiting' and tries = p_tries and retry_at < expires_at;
        if found then
            return;
        end if;
        p_state := 'given_up';
    end if;
    update outbox
       set state = p_state, sealed = null, detail = null, claimed_until = null, provider_id = p_provider_id, refusal = p_refusal,
           sent_at = case when p_state = 'sent' then now() end
     where id = p_id and state = 'waiting' and (tries = p_tries or p_state = 'sent')
    returning medium, address into settled;
    if found and p_state in ('sent', 'refused') then
        perform note_delivery(settled.medium, settled.address, p_state = 'sent', now());
    end if;
end $$;

-- Whoever delivers says later that it could not; the id is ours or theirs. What still waits for our own note of having
-- been sent was sent. False for a message that isn't known, that nobody has tried to send, or that was told of before.
create function record_bounce(p_medium text, p_id uuid, p_provider_id text, p_refusal text, p_address text, p_request text)
returns boolean language plpgsql as $$
declare
    message record;
begin
    select * into message from outbox o
     where o.medium = p_medium and (o.id = p_id or o.provider_id = p_provider_id)
       and (o.state = 'sent' or (o.state = 'waiting' and o.tries > 0))
     order by o.created_at desc limit 1 for update;
    if not found then
        return false;
    end if;
    update outbox set state = 'bounced', refusal = p_refusal, sealed = null, detail = null, claimed_until = null where id = message.id;
    insert into audit_events (action, outcome, reason, account_id, client_id, address, request_id, detail)
    values ('message_bounced', 'done', p_medium, message.account_id, message.client_id, p_address, p_request,
            jsonb_build_object('message', message.id, 'kind', message.kind));
    perform note_delivery(message.medium, message.address, false, coalesce(message.sent_at, now()));
    return true;
end $$;

-- Whether the newest message to an address came back.
create function newest_bounced(p_medium text, p_address text) returns boolean language sql stable as $$
    select coalesce((select o.state = 'bounced' from outbox o
                      where o.medium = p_medium and lower(o.address collate "C") = lower(p_address collate "C")
                      order by o.created_at desc limit 1), false);
$$;

-- Ends what ran out unsent and deletes what is older than 30 days, a bounded piece at a time.
create function sweep_outbox(p_limit integer) returns integer language plpgsql as $$
declare
    gone integer;
    total integer := 0;
begin
    update outbox set state = 'expired', sealed = null, detail = null, claimed_until = null where id = any (array(
        select id from outbox where state = 'waiting' and expires_at < now() and (claimed_until is null or claimed_until < now())
         limit p_limit for update skip locked));
    get diagnostics gone = row_count; total := total + gone;
    delete from outbox where ctid = any (array(
        select ctid from outbox where created_at < now() - interval '30 days' limit p_limit for update skip locked));
    get diagnostics gone = row_count; total := total + gone;
    return total;
end $$;

-- Another code for a sign-up, and its message in one: the code, or word of the account for whoever has one. It is paid for
-- once it is time for it; both cost the same. One outcome more: throttled, and nothing was changed.
create function renew_sign_up_code(
    p_flow uuid, p_code_digest bytea, p_resend_seconds integer, p_most_resends integer, p_address text, p_request text,
    p_code outgoing_message, p_account_exists outgoing_message, p_buckets bytea[], p_bursts bigint[], p_periods bigint[],
    out outcome text, out wait double precision)
language plpgsql as $$
begin
    select r.outcome, r.wait into outcome, wait
      from renew_sign_up_code(p_flow, p_code_digest, p_resend_seconds, p_most_resends, p_address, p_request) r;
    if outcome in ('sent', 'known') and p_buckets <> '{}' then
        wait := take_from_throttles(p_buckets, p_bursts, p_periods);
        if wait > 0 then
            raise exception 'throttled' using errcode = 'LG003';
        end if;
    end if;
    perform enqueue(case outcome when 'sent' then p_code when 'known' then p_account_exists end);
exception when sqlstate 'LG003' then
    outcome := 'throttled';   -- what was done above is undone
end $$;

-- What waited in the table before. The table stays for a server of the version before, which finds nothing to do there.
insert into outbox (id, medium, address, kind, account_id, detail, tries, not_before, created_at, expires_at)
select gen_random_uuid(), 'email', address, 'notice.' || kind, account_id, detail, tries, not_before, created_at, now() + interval '1 day'
  from notices;
delete from notices;
