-- Signs in with a known identity of an active account: the hot path. A sign-in renews a withdrawn consent. For an
-- unknown identity it creates the account `p_new`, if given and if no other account has the address. Otherwise it
-- changes nothing and returns the accounts with the address.
-- Locks: *lock_link_flow, accounts (for no key update or for key share), *sign_in_new_account, *spend, *store_provider_token,
-- identities, *fill_display_name, *make_session, *reach_session. The identity is read again under the account's lock, because it may have moved. No
-- account is held where sign_in_new_account is called.
-- Outcomes: unknown_identity, account_disabled, *sign_in_new_account, *make_session, *reach_session
-- Invariant: one identity has one account; an ended session stays ended; a single-use value is used once.
create or replace function sign_in(
    p_provider text, p_realm text, p_subject text, p_address_key text,
    p_spent bytea[], p_spent_until bigint[], p_token_client text, p_token_sealed bytea, p_link_flow uuid, p session_request, p_gate jsonb,
    p_new new_account,
    out outcome text, out account_id uuid, out identity_id uuid, out display_name text,
    out email text, out email_proved boolean, out account_created timestamptz, out holders jsonb)
language plpgsql as $$
declare
    account_status text;
    was_revoked boolean;
    had_name boolean;
    wants_factor boolean;
    password_is text;
    was_spent boolean;
begin
    if p_link_flow is not null then
        perform lock_link_flow(p_link_flow);
        perform 1 from accounts
          where id = (select i.account_id from identities i
                       where i.provider = p_provider and i.realm = p_realm and i.subject = p_subject)
            for no key update;
    end if;
    loop   -- until the identity's owner is locked
        select i.account_id, i.id, a.status, a.display_name, a.created_at, e.address, e.proved_at is not null,
               i.revoked_at is not null, i.display_name is not null, a.mfa or a.mfa_demanded, a.password_state
          into account_id, identity_id, account_status, display_name, account_created, email, email_proved, was_revoked, had_name,
               wants_factor, password_is
          from identities i
          join accounts a on a.id = i.account_id
          left join account_emails e on e.account_id = a.id and e.is_main
         where i.provider = p_provider and i.realm = p_realm and i.subject = p_subject
           for key share of a;   -- conflicts with the lock of disabling, so no session outlives it
        if not found then
            outcome := 'unknown_identity';
            select jsonb_agg(jsonb_build_object('account', h.account_id, 'proved', h.proved_at is not null, 'status', ha.status))
              into holders
              from (select * from account_emails c where c.address_key = p_address_key and not c.is_relay
                     order by c.proved_at nulls last limit 20) h
              join accounts ha on ha.id = h.account_id;
            if holders is null and p_new.account is not null then
                select n.outcome, n.account_created into outcome, account_created
                  from sign_in_new_account(p_new.account, p_new.identity, p_new.facts, p_new.address, p_new.address_key,
                                           p_new.takes_address, p_new.rule, p_new.explain, p_spent, p_spent_until, p_token_client,
                                           p_token_sealed, null, p, p_gate) n;
                identity_id := p_new.identity;   -- a new account, for the caller
            end if;
            return;
        end if;
        exit when exists (select from identities i where i.id = sign_in.identity_id and i.account_id = sign_in.account_id);
    end loop;
    if account_status <> 'active' then
        outcome := 'account_disabled';
        return;
    end if;
    was_spent := spend(p_spent, p_spent_until);
    if p_token_sealed is not null then
        perform store_provider_token(identity_id, p_token_client, p_token_sealed);
    end if;
    if was_revoked then
        update identities i set revoked_at = null where i.id = sign_in.identity_id;
    end if;
    if display_name is null and not had_name and (p_new.facts).display_name is not null then
        display_name := (p_new.facts).display_name;
        perform fill_display_name(account_id, identity_id, display_name);
    end if;
    if p_link_flow is null and not is_more_due(p.acr, p.provider, p_gate, wants_factor, password_is) then
        outcome := make_session(p, account_id, identity_id, 'signed_in', 'known_identity', null, p_gate->'proofs');
    else
        outcome := reach_session(p, account_id, identity_id, 'signed_in', 'known_identity', null, p_link_flow, p_gate);
    end if;
end $$;
