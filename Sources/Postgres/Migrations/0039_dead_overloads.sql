-- These overloads have no caller. Functions/ holds the definition of every function that is left.
drop function sign_in(text,text,text,text,bytea[],bigint[],text,bytea,uuid,session_request);
drop function sign_in_new_account(uuid,uuid,identity_facts,text,text,boolean,text,jsonb,bytea[],bigint[],text,bytea,uuid,session_request);
drop function sign_in_linking(uuid,uuid,identity_facts,text,uuid,text,jsonb,bytea[],bigint[],text,bytea,session_request);
drop function begin_password_sign_in(text,bytea[],bigint[],bigint[]);
drop function begin_password_sign_in(text,text,bytea[],bigint[],bigint[]);
drop function finish_password_sign_in(uuid,text,text,bytea[],bigint[],uuid,session_request);
drop function confirm_sign_up(uuid,bytea,integer,uuid,session_request);
drop function remove_factor(uuid,uuid,uuid,text,text,text);
drop function claim_events(integer,integer);
