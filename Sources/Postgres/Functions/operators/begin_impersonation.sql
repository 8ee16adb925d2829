-- Begins a session in which an operator acts for the user of an account. It ends after `p_seconds`, has no proof of the user
-- (`acr` 0), so it changes no sign-in method, and names the operator in every token. The user gets a notice. Nobody acts for
-- an operator or a guest. `p_client`: the app; null: the app of the operator's own session.
-- Locks: accounts (for key share), sessions (new). operator_refusal was called before in this transaction.
-- Outcomes: not_found, operator_account, begun
create or replace function begin_impersonation(
    p_actor uuid, p_actor_session uuid, p_account uuid, p_session uuid, p_client text, p_digest bytea, p_seconds integer,
    p_address text, p_user_agent text, p_request text)
returns text language plpgsql as $$
declare
    app text := coalesce(p_client, (select client_id from sessions where id = p_actor_session));
begin
    perform 1 from accounts where id = p_account and status = 'active' and not guest for key share;
    if not found then
        return 'not_found';
    end if;
    if exists (select from operators where account_id = p_account) then
        return 'operator_account';
    end if;
    insert into sessions (id, account_id, client_id, provider, auth_time, amr, acr, refresh_digest, rotated_at, idle_seconds,
                          idle_expires_at, expires_at, address, user_agent, actor_id)
    values (p_session, p_account, app, 'operator', now(), '{}', '0', p_digest, now(), p_seconds,
            now() + make_interval(secs => p_seconds), now() + make_interval(secs => p_seconds), p_address, p_user_agent, p_actor);
    insert into audit_inbox (action, outcome, account_id, session_id, client_id, provider, address, request_id, detail)
    values ('impersonation_begun', 'done', p_account, p_session, app, 'operator', p_address, p_request,
            jsonb_build_object('seconds', p_seconds));
    perform notify_account(p_account, 'impersonation_begun', '{}', p_client);
    return 'begun';
end $$;
