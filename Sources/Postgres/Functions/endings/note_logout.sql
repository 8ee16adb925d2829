-- Queues the notice of an ended session for its app, where the app asks for one. It commits with the end of the session.
-- The trigger leaves out sessions that no app received.
-- Locks: logout_notices (new). A trigger.
create or replace function note_logout() returns trigger language plpgsql as $$
begin
    insert into logout_notices (session_id, account_id, client_id, subject)
    select new.id, new.account_id, new.client_id, new.subject
      from clients c where c.id = new.client_id and c.openid ? 'backchannel_logout_uri';
    return null;
end $$;
