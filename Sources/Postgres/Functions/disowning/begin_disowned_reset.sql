-- The app and the mailbox for the reset after a disowned sign-in, if a new password is due. `client_id` is null if not. A merge
-- since then is undone first, as in disown_session. `email` is null without a mailbox from before the sign-in.
-- Locks: *lock_merged, *undo_merges_since.
create or replace function begin_disowned_reset(
    p_account uuid, p_session uuid, p_providers text[], p_address text, p_request text, out client_id text, out email text)
language plpgsql as $$
declare
    disowned record;
begin
    perform lock_merged(p_account);
    select s.created_at, s.client_id into disowned from sessions s
     where s.id = p_session and s.account_id = p_account and s.end_reason = 'disowned';
    if not found then
        return;
    end if;
    perform undo_merges_since(p_account, disowned.created_at, p_providers, p_session, disowned.client_id, p_address, p_request);
    if exists (select from accounts a where a.id = p_account and a.status = 'active' and a.password_state = 'reset_required') then
        client_id := disowned.client_id;
        email := mailbox_before(p_account, disowned.created_at);
    end if;
end $$;
