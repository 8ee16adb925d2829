-- Operators: accounts that may see and mend those of others, through the console, its API or the command line.

create table operators (
    account_id uuid primary key references accounts,    -- an operator's account is not deleted: the role goes first
    role       text not null check (role in ('viewer', 'support', 'admin', 'owner')),
    granted_by uuid,                                    -- the operator who did; null: the command line
    granted_at timestamptz not null default now()
);

-- Which operator did it, and in which words; null where it was the person or the server. They come with the
-- transaction, so that every row which it leaves has them, whichever function writes it.
alter table audit_events
    add column actor_id uuid default nullif(current_setting('gateway.actor', true), '')::uuid,
    add column words    text default nullif(current_setting('gateway.words', true), '');

-- What trust a role has: a higher number may do all that a lower one may.
create function operator_rank(p_role text) returns integer language sql immutable as $$
    select array_position(array['viewer', 'support', 'admin', 'owner'], p_role);
$$;

-- Says who acts in this transaction; see audit_events.
create function act_as(p_actor uuid, p_words text) returns void language plpgsql as $$
begin
    perform set_config('gateway.actor', coalesce(p_actor::text, ''), true), set_config('gateway.words', coalesce(p_words, ''), true);
end $$;

-- Why an operator may not do something to accounts, or null. Whoever changes something calls it first in the same
-- transaction: a role or session that is taken away meanwhile waits for the change, or the change for it.
-- No actor is the command line. Nobody's own account is changed this way, and no other operator's but by an owner.
create function operator_refusal(p_actor uuid, p_session uuid, p_least text, p_step_up boolean, p_changed uuid[]) returns text
language plpgsql as $$
declare
    mine text;
    proof record;
begin
    if p_actor is null then
        return null;
    end if;
    select role into mine from operators where account_id = p_actor for share;
    if not found then
        return 'not_an_operator';
    end if;
    select s.acr, s.auth_time into proof from sessions s join accounts a on a.id = s.account_id and a.status = 'active'
     where s.id = p_session and s.account_id = p_actor and s.ended_at is null and s.idle_expires_at > now() and s.expires_at > now()
       for share of s;
    if not found then
        return 'session_ended';
    end if;
    if proof.acr <> '2' then
        return 'step_up_required';
    end if;
    if operator_rank(mine) < operator_rank(p_least) then
        return 'role_too_low';
    end if;
    if p_step_up and proof.auth_time < now() - interval '10 minutes' then
        return 'reauth_required';
    end if;
    if p_actor = any (p_changed) then
        return 'own_account';
    end if;
    if mine <> 'owner' and exists (select from operators where account_id = any (p_changed)) then
        return 'operator_account';
    end if;
    return null;
end $$;

-- Makes an account an operator, or changes its role; from then on it needs a second factor. Null, or why not.
create function grant_role(p_account uuid, p_role text, p_actor uuid, p_address text, p_request text) returns text
language plpgsql as $$
declare
    former text;
begin
    perform pg_advisory_xact_lock(hashtextextended('operators', 4));   -- or two owners could demote each other
    update accounts set mfa_demanded = true, changed_at = now() where id = p_account and status = 'active';
    if not found then
        return 'not_found';
    end if;
    select role into former from operators where account_id = p_account;
    if former = p_role then
        return 'nothing_to_change';
    end if;
    if former = 'owner' and not exists (select from operators where role = 'owner' and account_id <> p_account) then
        return 'last_owner';
    end if;
    insert into operators (account_id, role, granted_by) values (p_account, p_role, p_actor)
    on conflict (account_id) do update set role = excluded.role, granted_by = excluded.granted_by, granted_at = now();
    insert into audit_events (action, outcome, account_id, address, request_id, detail)
    values ('role_granted', 'done', p_account, p_address, p_request,
            jsonb_build_object('before', former, 'after', p_role));
    return null;
end $$;

-- Takes the role away. Null, or why not.
create function withdraw_role(p_account uuid, p_address text, p_request text) returns text
language plpgsql as $$
declare
    former text;
begin
    perform pg_advisory_xact_lock(hashtextextended('operators', 4));
    select role into former from operators where account_id = p_account;
    if not found then
        return 'not_found';
    end if;
    if former = 'owner' and not exists (select from operators where role = 'owner' and account_id <> p_account) then
        return 'last_owner';
    end if;
    delete from operators where account_id = p_account;
    insert into audit_events (action, outcome, account_id, address, request_id, detail)
    values ('role_withdrawn', 'done', p_account, p_address, p_request,
            jsonb_build_object('before', former, 'after', null));
    return null;
end $$;
